//! The host stages in order, a file each: vertex → assemble → clip → viewport → setup → bin.

pub mod vertex;
