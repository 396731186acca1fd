// A vertex shader on the machine: one invocation a vertex of an instance.
//
// Before: raster/src/device/vertices.rs, which lists the vertices that primitives name. After: the host, which assembles,
// clips and bins. The linker (shaders/src/link/vertex.rs) documents the contract; attributes.wgsl fetches.

/// Lanes of a warp: a workgroup is one warp.
override LANES: u32 = 4u;

/// As in shaders/src/vertex_records.rs.
struct Call {
    /// Vertices of an instance.
    vertices: u32,
    /// Of all instances together.
    invocations: u32,
    first_instance: u32,
}

/// A vertex on its way through the shader.
struct Vertex {
    /// Its place among the results.
    at: u32,
    index: u32,
    instance: u32,
}

@group(0) @binding(0) var<uniform> call: Call;
/// The vertices of an instance, by number.
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
/// Address and byte length of the buffers that the shader reads.
@group(0) @binding(4) var<storage, read> resources: array<vec2<u32>>;
/// Word after word of the results, each for all vertices.
@group(0) @binding(5) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(LANES)
fn vertex_main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= call.invocations {
        return;
    }
    let instance = id.x / call.vertices;
    let number = numbers[id.x - instance * call.vertices];
    shade_vertex(Vertex(id.x, number, call.first_instance + instance));
}

/// Device address and byte length of a buffer the shader reads.
fn resource_range(index: u32, v: Vertex) -> vec2<u32> {
    return resources[index];
}

/// Takes a scalar of the shader's result, by its bits.
fn vertex_output(word: u32, bits: u32, v: Vertex) {
    results[word * call.invocations + v.at] = bits;
}

/// The vertex shader. The linker replaces this body by the user's entry point, which may call any of the functions above;
/// they are called here too, so that none is dropped as unused before the linker comes.
fn shade_vertex(v: Vertex) {
    let bits = fetch_attribute(0u, v) + vec4<u32>(resource_range(0u, v), 0u, 0u);
    vertex_output(0u, bits.x, v);
}
