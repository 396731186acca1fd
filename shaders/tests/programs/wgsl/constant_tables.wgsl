// Calendars: a constant array with a computed index, and constant expressions.
@group(0) @binding(0) var<storage, read_write> results: array<vec2<u32>>;

const DAYS = array(31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31);
const FEBRUARY = 1u;
const_assert DAYS[FEBRUARY] == 28;

fn is_leap(year: u32) -> bool { return (year % 4u == 0u && year % 100u != 0u) || year % 400u == 0u; }

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var year = 1897u + id.x * 5u;
    var month = id.x % 12u;
    let length = u32(DAYS[month]) + u32(month == FEBRUARY && is_leap(year));
    month++;
    if month < 3u {
        month += 12u;
        year--;
    }
    let century = year / 100u;
    let weekday = (length + 13u * (month + 1u) / 5u + year % 100u + year % 100u / 4u + century / 4u + 5u * century) % 7u;
    results[id.x] = vec2<u32>(length, weekday);
}
