// Gauss' elimination with pivots on systems of four equations in private memory.
@group(0) @binding(0) var<storage, read> systems: array<array<array<f32, 5>, 4>>;
@group(0) @binding(1) var<storage, read_write> solutions: array<array<f32, 4>>;

fn swap(rows: ptr<function, array<array<f32, 5>, 4>>, i: i32, j: i32) {
    let kept = (*rows)[i];
    (*rows)[i] = (*rows)[j];
    (*rows)[j] = kept;
}

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var rows = systems[id.x];
    for (var column = 0; column < 4; column++) {
        var best = column;
        for (var row = column + 1; row < 4; row++) {
            if abs(rows[row][column]) > abs(rows[best][column]) { best = row; }
        }
        swap(&rows, column, best);
        for (var row = column + 1; row < 4; row++) {
            let factor = rows[row][column] / rows[column][column];
            for (var place = column; place < 5; place++) { rows[row][place] -= factor * rows[column][place]; }
        }
    }
    var solution: array<f32, 4>;
    for (var row = 3; row >= 0; row--) {
        var rest = rows[row][4];
        for (var place = row + 1; place < 4; place++) { rest -= rows[row][place] * solution[place]; }
        solution[row] = rest / rows[row][row];
    }
    solutions[id.x] = solution;
}
