//! The program `warpaint`.

fn main() {}
