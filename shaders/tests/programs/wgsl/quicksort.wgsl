// Quicksort, largest first, without recursion: the parts still to do wait on a stack.
@group(0) @binding(0) var<storage, read_write> data: array<u32>;

const COUNT = 13;

struct Part { first: i32, last: i32 }

struct Stack { parts: array<Part, 16>, height: u32 }

fn push(stack: ptr<function, Stack>, part: Part) {
    if part.first < part.last {
        (*stack).parts[(*stack).height] = part;
        (*stack).height++;
    }
}

fn pop(stack: ptr<function, Stack>) -> Part {
    (*stack).height--;
    return (*stack).parts[(*stack).height];
}

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let base = i32(id.x) * COUNT;
    var stack: Stack;
    push(&stack, Part(base, base + COUNT - 1));
    while stack.height > 0u {
        let part = pop(&stack);
        let pivot = data[(part.first + part.last) / 2];
        var i = part.first - 1;
        var j = part.last + 1;
        loop {
            loop { i++; if data[i] <= pivot { break; } }
            loop { j--; if data[j] >= pivot { break; } }
            if i >= j { break; }
            let kept = data[i];
            data[i] = data[j];
            data[j] = kept;
        }
        push(&stack, Part(part.first, j));
        push(&stack, Part(j + 1, part.last));
    }
}
