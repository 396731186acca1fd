//! Textures on every backend: device = reference for sampler states of all kinds, and both against the rules in `f64`.
//!
//! A frame here is a list of questions: each pixel samples at a place, with gradients or at a level, that a buffer holds.

mod drawing;
#[path = "../src/seeded.rs"]
mod seeded;

#[path = "textures/forms.rs"]
mod forms;
#[path = "textures/layers_of_forms.rs"]
mod layers_of_forms;
#[path = "textures/model.rs"]
mod model;
#[path = "textures/quads.rs"]
mod quads;
#[path = "textures/questions.rs"]
mod questions;
#[path = "textures/random_states.rs"]
mod random_states;
#[path = "textures/refused.rs"]
mod refused;
#[path = "textures/rules.rs"]
mod rules;
#[path = "textures/stores.rs"]
mod stores;
