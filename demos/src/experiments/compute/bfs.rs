//! Breadth-first search of a random graph, two launches for each level.

use gpu_core::config::GpuConfig;
use shaders::kernels::BFS;

use super::{lanes, warps, whole};
use crate::experiments::build::build;
use crate::experiments::error::ExperimentError;
use crate::experiments::workload::{Buffer, Expected, Step, Workload};
use crate::patterns::hash;

/// Edges of a node: 1 to this.
const MOST_EDGES: u32 = 8;
/// The cost of a node that is not reached.
const UNREACHED: u32 = u32::MAX;

/// Edges by node: those of n are `edges[first[n]..first[n + 1]]`.
struct Graph {
    first: Vec<u32>,
    edges: Vec<u32>,
}

fn random(count: u32) -> Graph {
    let mut graph = Graph { first: vec![0], edges: Vec::new() };
    for node in 0..count {
        let degree = hash(node, 11) % MOST_EDGES + 1;
        graph.edges.extend((0..degree).map(|edge| hash(node * MOST_EDGES + edge, 12) % count));
        graph.first.push(graph.edges.len() as u32);
    }
    graph
}

/// Edges from node 0 to every node, and how many levels there are beyond it.
fn levels(graph: &Graph) -> (Vec<u32>, u32) {
    let mut cost = vec![UNREACHED; graph.first.len() - 1];
    cost[0] = 0;
    let (mut frontier, mut level) = (vec![0usize], 0);
    while !frontier.is_empty() {
        level += 1;
        let mut next = Vec::new();
        for node in frontier {
            for &other in &graph.edges[graph.first[node] as usize..graph.first[node + 1] as usize] {
                if cost[other as usize] == UNREACHED {
                    cost[other as usize] = level;
                    next.push(other as usize);
                }
            }
        }
        frontier = next;
    }
    (cost, level)
}

pub fn bfs(count: u32, config: &GpuConfig) -> Result<Workload, ExperimentError> {
    let graph = random(count);
    let (cost, levels) = levels(&graph);
    // One word is 1 or 0 at the start node, all others are `other`.
    let at_start = |start: u32, other: u32| [start].into_iter().chain((1..count).map(|_| other)).collect::<Vec<_>>();
    let buffers = vec![
        Buffer { name: "job", words: vec![count] },
        Buffer { name: "first edges", words: graph.first },
        Buffer { name: "edges", words: graph.edges },
        Buffer { name: "frontier", words: at_start(1, 0) },
        Buffer { name: "reached", words: at_start(0, 0) },
        Buffer { name: "visited", words: at_start(1, 0) },
        Buffer { name: "cost", words: at_start(0, UNREACHED) },
    ];
    let kernels = ["visit", "advance"].map(|entry| build(&BFS, entry, &lanes(config), config));
    let kernels = kernels.into_iter().collect::<Result<_, _>>()?;
    let step = |kernel| Step { kernel, grid: [warps(count, config), 1, 1], bindings: whole(&buffers) };
    // The last level reaches nobody; the program knows that only after it has looked.
    let steps = (0..levels).flat_map(|_| [step(0), step(1)]).collect();
    let check = vec![Expected { buffer: 6, words: cost }];
    Ok(Workload { name: "bfs", size: format!("{count} nodes"), kernels, buffers, steps, check })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_shortest_paths() {
        // 0 → 1 → 3, 0 → 2 → 3 → 0, and 4, which nobody leads to.
        let graph = Graph { first: vec![0, 2, 3, 4, 5, 6], edges: vec![1, 2, 3, 3, 0, 0] };
        assert_eq!(levels(&graph), (vec![0, 1, 1, 2, UNREACHED], 3));
    }
}
