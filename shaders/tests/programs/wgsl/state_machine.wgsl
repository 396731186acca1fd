// Reads eight symbols as numbers with signs and adds them up: a switch of switches in a loop.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

const START = 0u;
const NUMBER = 1u;
const LOST = 2u;

struct Reader { state: u32, value: i32, sign: i32, sum: i32, errors: u32 }

fn finish(reader: ptr<function, Reader>, sign: i32) {
    (*reader).sum += (*reader).sign * (*reader).value;
    (*reader).sign = sign;
    (*reader).value = 0;
    (*reader).state = START;
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var reader = Reader(START, 0, 1, 0, 0u);
    for (var n = 0u; n < 8u; n++) {
        let symbol = (input[id.x] >> (4u * n)) & 15u;
        switch reader.state {
            case START {
                switch symbol {
                    case 10u { reader.sign = 1; }
                    case 11u { reader.sign = -1; }
                    case 12u, 13u {}
                    case 14u, 15u {
                        reader.errors++;
                        reader.state = LOST;
                    }
                    default {
                        reader.value = i32(symbol);
                        reader.state = NUMBER;
                    }
                }
            }
            case NUMBER {
                switch symbol {
                    case 10u, 12u, 13u { finish(&reader, 1); }
                    case 11u { finish(&reader, -1); }
                    case 14u, 15u {
                        reader.errors++;
                        reader.value = 0;
                        reader.state = LOST;
                    }
                    default { reader.value = reader.value * 10 + i32(symbol); }
                }
            }
            default {
                if symbol != 12u { continue; }
                reader.state = START;
            }
        }
    }
    finish(&reader, 1);
    results[id.x] = (bitcast<u32>(reader.sum) << 4u) | reader.errors;
}
