// The eight comparisons, by `Compare::code`.

const COMPARE_ALWAYS: u32 = 7u;

fn compares(code: u32, incoming: u32, stored: u32) -> bool {
    switch code {
        case 0u: { return false; }
        case 1u: { return incoming < stored; }
        case 2u: { return incoming == stored; }
        case 3u: { return incoming <= stored; }
        case 4u: { return incoming > stored; }
        case 5u: { return incoming != stored; }
        case 6u: { return incoming >= stored; }
        default: { return true; }
    }
}
