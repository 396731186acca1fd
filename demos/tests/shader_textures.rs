//! Textures, samplers and storage textures of `warpaint run`: what a shader finds in them, what is printed and written, and what is said
//! when they do not fit.

mod folder;

use folder::{Folder, refused, text};

/// Samples, loads and stores: out(x, y) = the picture mirrored, its alpha that of the sample between four texels.
const MIRROR: &str = "
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var smooth_sampler: sampler;
@group(1) @binding(0) var mirrored: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(2, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(mirrored);
    let texel = textureLoad(picture, vec2<u32>(size.x - 1u - id.x, id.y), 0);
    let middle = textureSampleLevel(picture, smooth_sampler, vec2<f32>(0.5), 0.0);
    textureStore(mirrored, id.xy, vec4<f32>(texel.rgb, middle.a));
}
";

/// A picture of 2 x 2 pixels: red, green, blue, white with alphas 0, 0, 0, 255.
fn write_picture(folder: &Folder) {
    let pixels = [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 255, 255, 255, 255];
    image::RgbaImage::from_raw(2, 2, pixels.to_vec())
        .expect("2 x 2 pixels")
        .save(folder.path("in.png"))
        .expect("the folder is writable");
}

#[test]
fn a_picture_goes_in_and_a_picture_comes_out() {
    let folder = Folder::new();
    folder.write("mirror.wgsl", MIRROR);
    write_picture(&folder);
    let bound = ["--texels", "0:0=@in.png", "--sampler", "0:1=linear", "--texels", "1:0=zero:2x2"];
    let output = folder.warpaint(&[&["run", "mirror.wgsl"], &bound[..]].concat());
    // The middle's alpha is a quarter of 255, 63.75, rounded to 64 twice over: (0 + 255)/2 = 128 (rounded up), then 64.
    let alpha = 64.0f32 / 255.0;
    let expected = format!(
        "1:0 `mirrored`, 2 x 2 texels of rgba8unorm, 16 components as f32\n     0  0.0 1.0 0.0 {alpha:?} 1.0 0.0 0.0 {alpha:?}\n     8  1.0 1.0 1.0 {alpha:?} 0.0 0.0 1.0 {alpha:?}\n"
    );
    assert_eq!(text(&output.stdout), expected, "{}", text(&output.stderr));

    let written = ["--output", "1:0=@out.png", "--output", "1:0=@out.bin", "--timed", "--machine", "1c2w8t"];
    let output = folder.warpaint(&[&["run", "mirror.wgsl"], &bound[..], &written].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let mirrored = [0, 255, 0, 64, 255, 0, 0, 64, 255, 255, 255, 64, 0, 0, 255, 64];
    let picture = image::open(folder.path("out.png")).expect("it is a picture").to_rgba8();
    assert_eq!((picture.dimensions(), picture.into_raw()), ((2, 2), mirrored.to_vec()));
    assert_eq!(std::fs::read(folder.path("out.bin")).expect("it was written"), mirrored);

    let output = folder.warpaint(&[&["run", "mirror.wgsl", "--json", "--print", "1:0=hex:4"], &bound[..]].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let buffer = &report["buffers"][0];
    assert_eq!(buffer["texels"], "2 x 2 texels of rgba8unorm");
    assert_eq!(buffer["values"], serde_json::json!(["00000000", "3f800000", "00000000", "3e808081"]));
}

/// Every kind of texture that a compute shader can read, one word of each.
const KINDS: &str = "
@group(0) @binding(0) var line: texture_1d<f32>;
@group(0) @binding(1) var layers: texture_2d_array<u32>;
@group(0) @binding(2) var volume: texture_3d<f32>;
@group(0) @binding(3) var sky: texture_cube<f32>;
@group(0) @binding(4) var shadow: texture_depth_2d;
@group(0) @binding(5) var samples: texture_multisampled_2d<f32>;
@group(0) @binding(6) var signed: texture_2d<i32>;
@group(0) @binding(7) var smooth_sampler: sampler;
@group(0) @binding(8) var shadow_sampler: sampler_comparison;
@group(0) @binding(9) var<storage, read_write> found: array<f32>;
@group(0) @binding(10) var counts: texture_storage_2d_array<r32uint, read_write>;
@group(0) @binding(11) var skies: texture_cube_array<f32>;

@compute @workgroup_size(1)
fn main() {
    found[0] = textureLoad(line, 3, 0).r;
    found[1] = f32(textureLoad(layers, vec2<i32>(1, 0), 2, 0).g);
    found[2] = textureSampleLevel(volume, smooth_sampler, vec3<f32>(0.25, 0.5, 0.25), 1.0).r;
    found[3] = textureSampleLevel(sky, smooth_sampler, vec3<f32>(0.0, 0.0, -1.0), 0.0).b;
    found[4] = textureSampleCompareLevel(shadow, shadow_sampler, vec2<f32>(0.5), 0.5);
    found[5] = textureLoad(samples, vec2<i32>(0, 0), 3).r;
    found[6] = f32(textureLoad(signed, vec2<i32>(1, 1), 0).r);
    found[7] = f32(textureNumLevels(volume) * 100u + textureNumLayers(layers) * 10u + textureNumSamples(samples));
    found[8] = f32(textureNumLayers(skies)) + textureSampleLevel(skies, smooth_sampler, vec3<f32>(1.0, 0.0, 0.0), 1, 0.0).b;
    textureStore(counts, vec2<i32>(1, 0), 1, textureLoad(counts, vec2<i32>(0, 0), 1) + vec4<u32>(40u));
}
";

const KIND_OPTIONS: [&str; 28] = [
    "--texels",
    "0:0=count:4,format=r32float",
    "--texels",
    "0:1=count:2x1x3,format=rg8uint",
    "--texels",
    "0:2=count:4x2x4,format=r32float,levels=all",
    "--texels",
    "0:3=gradient:2x2,format=rgba32float",
    "--texels",
    "0:4=gradient:4x1",
    "--texels",
    "0:5=count:1x1,format=r32float",
    "--texels",
    "0:6=@signed.bin,size=2x2,format=r8sint",
    "--sampler",
    "0:7=linear,mip=linear",
    "--sampler",
    "0:8=compare=less,linear",
    "--buffer",
    "0:9=zero:36",
    "--texels",
    "0:10=count:2x1x2",
    "--texels",
    "0:11=gradient:2x2x12,format=rgba32float",
    "--print",
    "0:9=f32",
    "--print",
    "0:10=u32",
];

#[test]
fn every_kind_of_texture_is_bound() {
    let folder = Folder::new();
    folder.write("kinds.wgsl", KINDS);
    folder.write("signed.bin", [1u8, 2, 3, 0xfb]);
    let output = folder.warpaint(&[&["run", "kinds.wgsl"], &KIND_OPTIONS[..]].concat());
    // 3; layer 2's second texel is number 5, its second component 11; level 1 at (¼, ½, ¼) is the middle of a texel: the average of
    // 0, 1, 4, 5 and 8 more, 6.5; face −z is the sixth of six, (5 + ½) / 6; a depth of ⅜ passes and ⅝ does, 0.5 < 0.625 only;
    // sample 3; −5; three levels, layers, four samples; two cubes and +x of the second, (6 + ½) / 12.
    let values = [3.0f32, 11.0, 6.5, 5.5 / 6.0, 0.5, 3.0, -5.0, 334.0, 2.0 + 6.5 / 12.0];
    let lines = values.chunks(8).zip(0..).map(|(values, line)| {
        let values: Vec<_> = values.iter().map(|value| format!("{value:?}")).collect();
        format!("{:>6}  {}\n", line * 8, values.join(" "))
    });
    let expected = format!(
        "0:9 `found`, 9 words as f32\n{}0:10 `counts`, 2 x 1 x 2 texels of r32uint, 4 components as u32\n     0  0 1 2 42\n",
        lines.collect::<String>()
    );
    assert_eq!(text(&output.stdout), expected, "{}", text(&output.stderr));
}

#[test]
fn textures_can_be_profiled_and_listed() {
    let folder = Folder::new();
    folder.write("mirror.wgsl", MIRROR);
    let bound = ["--texels", "0:0=checker:2x2", "--sampler", "0:1=linear", "--texels", "1:0=zero:2x2"];
    let output = folder.warpaint(&[&["profile", "mirror.wgsl"], &bound[..]].concat());
    assert!(text(&output.stdout).contains("mirror.wgsl:10"), "{}{}", text(&output.stdout), text(&output.stderr));
    let output = folder.warpaint(&["disasm", "mirror.wgsl"]);
    assert!(text(&output.stdout).contains("tex"), "{}", text(&output.stderr));
}

#[test]
fn textures_and_samplers_that_do_not_match_are_named() {
    let folder = Folder::new();
    folder.write("mirror.wgsl", MIRROR);
    folder.write("odd.bin", [0u8; 5]);
    let (texture, sampler, storage) = ("0:0=checker:2x2", "0:1=linear", "1:0=zero:2x2");
    let run = |options: &[(&str, &str)], expected: &[&str]| {
        let options = options.iter().flat_map(|(option, value)| [*option, *value]);
        refused(&folder, &["run", "mirror.wgsl"].into_iter().chain(options).collect::<Vec<_>>(), expected);
    };
    let (t, s) = ("--texels", "--sampler");
    run(&[], &["`picture`", "texture_2d<f32>", "@group(0) @binding(0)", "--texels 0:0=gradient:16x16"]);
    run(&[(t, texture)], &["`smooth_sampler`", "--sampler 0:1=linear"]);
    run(&[(t, texture), (s, sampler)], &["`mirrored`", "rgba8unorm", "--texels 1:0=zero:16x16"]);
    let all = [(t, texture), (s, sampler), (t, storage)];
    let with = |more: (&'static str, &'static str)| [&all[..], &[more]].concat();
    run(&with((t, "1:0=zero:4x4")), &["texture 1:0", "twice"]);
    run(&with((s, "0:1=nearest")), &["sampler 0:1", "twice"]);
    run(&with((t, "2:0=zero:4x4")), &["no texture 2:0", "0:0 (`picture`)"]);
    run(&with((s, "0:0=linear")), &["no sampler 0:0", "0:1 (`smooth_sampler`)"]);
    run(&with(("--buffer", "0:0=zero:4")), &["no buffer 0:0"]);
    run(&with(("--print", "0:1=f32")), &["0:1", "1:0 (`mirrored`)"]);
    let first = |texture: &'static str, expected: &[&str]| run(&[(t, texture), (s, sampler), (t, storage)], expected);
    first("0:0=checker:2x2,format=r32uint", &["texture 0:0", "`picture`", "texture_2d<f32>", "format="]);
    first("0:0=checker:2x2x2", &["texture 0:0", "2 layers"]);
    first("0:0=@missing.png", &["missing.png"]);
    first("0:0=@odd.bin,size=2x1", &["odd.bin", "5 bytes", "8"]);
    first("0:0=@odd.bin", &["size="]);
    first("0:0=chequer:2x2", &["`chequer:2x2`", "checker:8x8"]);
    let stored =
        |texture: &'static str, expected: &[&str]| run(&[(t, "0:0=zero:1x1"), (s, sampler), (t, texture)], expected);
    stored("1:0=zero:2x2,format=r32uint", &["texture 1:0", "rgba8unorm", "leave format="]);
    stored("1:0=zero:2x2,levels=2", &["texture 1:0", "leave levels="]);
    run(&[(t, texture), (s, "0:1=linear,compare=less"), (t, storage)], &["sampler 0:1", "leave compare="]);
    run(&[(t, texture), (s, "0:1=smooth"), (t, storage)], &["`smooth`", "nearest or linear"]);
    folder.write("kinds.wgsl", KINDS);
    folder.write("signed.bin", [1u8, 2, 3, 0xfb]);
    let kinds = KIND_OPTIONS.iter().map(|option| if option.starts_with("0:8=") { "0:8=linear" } else { option });
    let kinds: Vec<_> = ["run", "kinds.wgsl"].into_iter().chain(kinds).collect();
    refused(&folder, &kinds, &["sampler 0:8", "sampler_comparison", "compare=less-equal"]);
}

/// All that WebGPU's core lets a shader pair: sixteen textures by sixteen samplers, on a machine with as many stages.
#[test]
fn sixteen_textures_by_sixteen_samplers() {
    let folder = Folder::new();
    let pairs = || (0..16).flat_map(|texture| (0..16).map(move |sampler| (texture, sampler)));
    let textures: String = (0..16)
        .map(|n| {
            format!("@group(1) @binding({n}) var t{n}: texture_2d<f32>;\n@group(2) @binding({n}) var s{n}: sampler;\n")
        })
        .collect();
    let samples: String = pairs()
        .map(|(t, s)| {
            format!("    found[{}] = textureSampleLevel(t{t}, s{s}, vec2<f32>(1.0, 0.5), 0.0).r;\n", 16 * t + s)
        })
        .collect();
    let source = format!(
        "@group(0) @binding(0) var<storage, read_write> found: array<f32>;\n{textures}@compute @workgroup_size(1) fn main() {{\n{samples}}}"
    );
    folder.write("pairs.wgsl", source);
    // The right edge of a line of n + 1 texels 0, 1, 2 … is n where it is clamped, and 0 where it repeats.
    let mut options: Vec<String> =
        ["run", "pairs.wgsl", "--buffer", "0:0=zero:1024", "--output", "0:0=@found.bin"].map(str::to_owned).to_vec();
    for n in 0..16 {
        options.extend(["--texels".to_owned(), format!("1:{n}=count:{}x1,format=r32float", n + 1)]);
        options.extend(["--sampler".to_owned(), format!("2:{n}={}", if n % 3 == 0 { "repeat" } else { "clamp" })]);
    }
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    refused(&folder, &options, &["pairs of texture and sampler", "texture_stages"]);
    let output = folder.warpaint(&[&options[..], &["--set", "texture_stages=256"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let expected: Vec<u8> = pairs()
        .flat_map(|(texture, sampler)| (if sampler % 3 == 0 { 0.0 } else { texture as f32 }).to_le_bytes())
        .collect();
    assert_eq!(std::fs::read(folder.path("found.bin")).expect("it was written"), expected);
}
