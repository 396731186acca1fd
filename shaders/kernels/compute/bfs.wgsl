// Breadth-first search, one level a step: `visit` goes along the edges of the frontier, `advance` makes the next frontier.
//
// Several invocations may reach a node in one step; all store the same words, so the result does not depend on who is last.

override LANES: u32 = 4u;

struct Job {
    count: u32,
}

@group(0) @binding(0) var<uniform> job: Job;
/// The edges of node n are `edges[first_edge[n]]` up to, not including, `edges[first_edge[n + 1]]`.
@group(0) @binding(1) var<storage, read> first_edge: array<u32>;
@group(0) @binding(2) var<storage, read> edges: array<u32>;
@group(0) @binding(3) var<storage, read_write> frontier: array<u32>;
@group(0) @binding(4) var<storage, read_write> reached: array<u32>;
@group(0) @binding(5) var<storage, read_write> visited: array<u32>;
/// Edges from the start.
@group(0) @binding(6) var<storage, read_write> cost: array<u32>;

@compute @workgroup_size(LANES)
fn visit(@builtin(global_invocation_id) id: vec3<u32>) {
    let node = id.x;
    if node < job.count {
        if frontier[node] != 0u {
            frontier[node] = 0u;
            let next = cost[node] + 1u;
            for (var edge = first_edge[node]; edge < first_edge[node + 1u]; edge++) {
                let other = edges[edge];
                if visited[other] == 0u {
                    cost[other] = next;
                    reached[other] = 1u;
                }
            }
        }
    }
}

@compute @workgroup_size(LANES)
fn advance(@builtin(global_invocation_id) id: vec3<u32>) {
    let node = id.x;
    if node < job.count {
        if reached[node] != 0u {
            reached[node] = 0u;
            visited[node] = 1u;
            frontier[node] = 1u;
        }
    }
}
