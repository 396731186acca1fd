// Sorted insertion into lists whose links are indices, then the lists turned around.
struct Node { value: u32, next: i32 }
struct List { nodes: array<Node, 7>, first: i32, count: i32 }

@group(0) @binding(0) var<storage, read> input: array<array<u32, 7>>;
@group(0) @binding(1) var<storage, read_write> results: array<array<u32, 7>>;

fn insert(list: ptr<function, List>, value: u32) {
    let new_node = (*list).count;
    (*list).count++;
    var before = -1;
    var at = (*list).first;
    while at >= 0 {
        if (*list).nodes[at].value >= value { break; }
        before = at;
        at = (*list).nodes[at].next;
    }
    (*list).nodes[new_node] = Node(value, at);
    if before < 0 { (*list).first = new_node; } else { (*list).nodes[before].next = new_node; }
}

fn turn_around(list: ptr<function, List>) {
    var done = -1;
    while (*list).first >= 0 {
        let at = (*list).first;
        (*list).first = (*list).nodes[at].next;
        (*list).nodes[at].next = done;
        done = at;
    }
    (*list).first = done;
}

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    var list: List;
    list.first = -1;
    for (var n = 0; n < 7; n++) { insert(&list, input[i][n] % 50u); }
    turn_around(&list);
    var n = 0;
    for (var at = list.first; at >= 0; at = list.nodes[at].next) {
        results[i][n] = list.nodes[at].value;
        n++;
    }
}
