//! What the lanes of a warp, and the warps of a workgroup, agree on.
//!
//! Before: `optimize`, `legalize`. After: `lower`, which branches where lanes agree and narrows masks where they do not.
//!
//! Each value and variable gets a [`Level`]. The analysis starts by believing that everything agrees and walks the
//! kernel until nothing changes any more. A value differs when an operand does, or when its operation makes it differ.
//! A variable differs when a differing value is put into it, or when it is set where only some of the lanes are active
//! that may later read it: inside an `If` on a differing condition, after some lanes have left a scope that is still
//! open, or in a loop that lanes leave at different times (*temporal divergence*). "Some" is counted from the block
//! that all accesses of the variable lie in (`accesses`), so a loop counter inside a divergent branch still agrees.
//!
//! A warp never spans workgroups, so workgroup ids agree.

use crate::accesses::{Home, homes};
use crate::ir::{Block, Input, Kernel, Label, Location, Operation, Shuffle, Space, Statement, Value};
use crate::legalize;
use crate::options::{BackEndError, Mutation};

/// How widely something agrees. Greater is worse.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Level {
    /// All invocations of the workgroup that are active agree.
    #[default]
    Workgroup,
    /// The lanes of a warp agree.
    Warp,
    /// Nothing is known.
    Lane,
}

/// What `analyze` finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// One for each [`Value`].
    pub values: Vec<Level>,
    /// One for each variable.
    pub variables: Vec<Level>,
    /// Scopes that some lanes of a warp leave while others stay, by [`Label`], sorted.
    pub narrowing: Vec<Label>,
    /// Barriers that not all invocations reach, with the level of the control flow around them.
    pub barriers: Vec<(Location, Level)>,
}

impl Divergence {
    /// Whether the lanes of a warp agree on a value.
    pub fn is_uniform(&self, value: Value) -> bool {
        self.values[value.0 as usize] < Level::Lane
    }

    /// Whether some lanes of a warp leave the scope while others stay.
    pub fn is_narrowing(&self, label: Label) -> bool {
        self.narrowing.binary_search(&label).is_ok()
    }

    /// Refuses barriers that not all invocations reach.
    pub fn check_barriers(&self, kernel: &Kernel) -> Result<(), BackEndError> {
        match self.barriers.first() {
            None => Ok(()),
            Some(&(at, level)) => {
                let cause = if level == Level::Lane { "the invocation" } else { "the warp" };
                Err(BackEndError::DivergentBarrier { kernel: kernel.name.clone(), cause, at })
            }
        }
    }
}

/// Whether a barrier is anywhere in the block.
pub fn has_barrier(block: &Block) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Barrier { .. } => true,
        Statement::If { accept, reject, .. } => has_barrier(accept) || has_barrier(reject),
        Statement::Scope { body, .. } | Statement::Loop { body, .. } => has_barrier(body),
        _ => false,
    })
}

/// Analyzes a kernel for warps of so many lanes.
pub fn analyze(kernel: &Kernel, lanes: u32) -> Divergence {
    analyze_with(kernel, lanes, None)
}

/// [`analyze`], perhaps with a planted fault.
pub(crate) fn analyze_with(kernel: &Kernel, lanes: u32, mutation: Option<Mutation>) -> Divergence {
    let size: u32 = kernel.workgroup_size.iter().product();
    let mut analysis = Analysis {
        lanes,
        constants: vec![None; kernel.values.len()],
        is_one_warp: size <= lanes,
        is_one_lane: lanes == 1,
        is_full_warp: size.is_multiple_of(lanes),
        homes: homes(kernel),
        values: vec![Level::Workgroup; kernel.values.len()],
        variables: vec![Level::Workgroup; kernel.variables.len()],
        loop_exits: Vec::new(),
        narrowing: Vec::new(),
        barriers: Vec::new(),
        frames: Vec::new(),
        loop_count: 0,
        block_count: 0,
        changed: true,
        mutation,
    };
    while analysis.changed {
        analysis.changed = false;
        analysis.barriers.clear();
        (analysis.loop_count, analysis.block_count) = (0, 0);
        analysis.block(&kernel.body, Entry::Plain);
    }
    let Analysis { values, variables, narrowing, barriers, .. } = analysis;
    Divergence { values, variables, narrowing, barriers }
}

/// How control comes into a block.
enum Entry {
    /// With all lanes of the block around it.
    Plain,
    /// With those for which a condition of this level holds.
    Branch(Level),
    /// Again and again; the index of the loop.
    Loop(usize),
    /// As `Plain`; left by this label.
    Scope(Label),
}

/// A block that is open.
struct Frame {
    entry: Entry,
    /// Number of the block in walking order, as `accesses` counts.
    block: u32,
    /// Lanes that have left since the block began: to the frame of this index, agreed on to this level.
    left: Vec<(usize, Level)>,
}

struct Analysis {
    lanes: u32,
    /// The bits of values that are constants.
    constants: Vec<Option<u32>>,
    is_one_warp: bool,
    is_one_lane: bool,
    /// Every warp starts with all its lanes.
    is_full_warp: bool,
    homes: Vec<Home>,
    values: Vec<Level>,
    variables: Vec<Level>,
    /// For each loop in walking order: scopes it is left to, by lanes that agree on it to this level.
    loop_exits: Vec<Vec<(Label, Level)>>,
    narrowing: Vec<Label>,
    barriers: Vec<(Location, Level)>,
    frames: Vec<Frame>,
    loop_count: usize,
    block_count: u32,
    changed: bool,
    mutation: Option<Mutation>,
}

impl Analysis {
    fn block(&mut self, block: &Block, entry: Entry) {
        self.frames.push(Frame { entry, block: self.block_count, left: Vec::new() });
        self.block_count += 1;
        for (index, statement) in block.iter().enumerate() {
            self.statement(statement, block, index);
        }
        self.frames.pop();
    }

    fn statement(&mut self, statement: &Statement, block: &Block, index: usize) {
        match statement {
            Statement::Let { value, operation, .. } => {
                if let Operation::Constant(bits) = operation {
                    self.constants[value.0 as usize] = Some(*bits);
                }
                let mut level = self.operation(operation);
                if level == Level::Warp && self.is_between_barriers(operation, block, index) {
                    level = Level::Workgroup;
                }
                if self.is_one_lane {
                    level = level.min(Level::Warp);
                }
                if level == Level::Warp && self.is_one_warp {
                    level = Level::Workgroup;
                }
                raise(&mut self.values[value.0 as usize], level, &mut self.changed);
            }
            Statement::Set { variable, value, .. } => {
                let home = match self.homes[variable.0 as usize] {
                    Home::Kernel => None,
                    Home::Block(block) => Some(block),
                };
                let first = home.map_or(0, |block| {
                    let outer = self.frames.iter().position(|frame| frame.block == block);
                    outer.expect("a variable is set inside its home") + 1
                });
                let level = self.values[value.0 as usize].max(self.control(first));
                raise(&mut self.variables[variable.0 as usize], level, &mut self.changed);
            }
            Statement::Store { .. } | Statement::WriteControl { .. } => {}
            Statement::If { condition, accept, reject, .. } => {
                let level = self.values[condition.0 as usize];
                self.block(accept, Entry::Branch(level));
                self.block(reject, Entry::Branch(level));
            }
            Statement::Scope { label, body } => self.block(body, Entry::Scope(*label)),
            Statement::Loop { body, .. } => {
                let number = self.loop_count;
                self.loop_count += 1;
                if self.loop_exits.len() == number {
                    self.loop_exits.push(Vec::new());
                }
                self.block(body, Entry::Loop(number));
            }
            Statement::Leave { label, .. } => self.leave(*label),
            Statement::Barrier { at, .. } => {
                let level = self.control(0);
                if level == Level::Lane || level == Level::Warp && !self.is_one_warp {
                    self.barriers.push((*at, level));
                }
            }
        }
    }

    /// The index of the frame that is a scope's body.
    fn frame_of(&self, label: Label) -> usize {
        let is_it = |frame: &Frame| matches!(frame.entry, Entry::Scope(other) if other == label);
        self.frames.iter().rposition(is_it).expect("a leave lies inside its scope")
    }

    /// How widely it is agreed which invocations are active now, among those that were when frame `first` was entered
    /// from outside and have not left it for good.
    fn control(&self, first: usize) -> Level {
        let mut level = Level::Workgroup;
        for frame in &self.frames[first..] {
            match frame.entry {
                Entry::Plain | Entry::Scope(_) => {}
                Entry::Branch(condition) => level = level.max(condition),
                Entry::Loop(_) if self.mutation == Some(Mutation::NoTemporalDivergence) => {}
                Entry::Loop(number) => {
                    for &(label, exit) in &self.loop_exits[number] {
                        if self.frame_of(label) >= first {
                            level = level.max(exit);
                        }
                    }
                }
            }
            for &(target, left) in &frame.left {
                if target >= first {
                    level = level.max(left);
                }
            }
        }
        level
    }

    fn leave(&mut self, label: Label) {
        let target = self.frame_of(label);
        // A scope that is left through a narrowing one has to restore the mask as well, because that one brings back
        // lanes that have gone further.
        let is_through = self.frames[target + 1..].iter().any(|frame| match frame.entry {
            Entry::Scope(inner) => self.narrowing.binary_search(&inner).is_ok(),
            _ => false,
        });
        if (self.control(target) == Level::Lane || is_through)
            && let Err(place) = self.narrowing.binary_search(&label)
        {
            self.narrowing.insert(place, label);
            self.changed = true;
        }
        for index in target..self.frames.len() {
            // What of the lanes in this frame has left, judged from its own start.
            let level = self.control(index + 1);
            if level > Level::Workgroup {
                self.frames[index].left.push((target, level));
            }
            if let Entry::Loop(number) = self.frames[index].entry
                && level > Level::Workgroup
                && !self.loop_exits[number].contains(&(label, level))
            {
                self.loop_exits[number].push((label, level));
                self.changed = true;
            }
        }
    }

    fn operation(&self, operation: &Operation) -> Level {
        let of = |value: &Value| self.values[value.0 as usize];
        match operation {
            Operation::Constant(_) | Operation::BindingLength(_) => Level::Workgroup,
            Operation::BindingAddress(index) if *index == legalize::FRAME => Level::Lane,
            Operation::BindingAddress(_) => Level::Workgroup,
            Operation::Get(variable) => self.variables[variable.0 as usize],
            Operation::Input(input) => match input {
                Input::LocalInvocationId(_) | Input::LocalInvocationIndex => Level::Lane,
                Input::GlobalInvocationId(_) | Input::SubgroupInvocationId => Level::Lane,
                Input::WorkgroupId(_) | Input::NumWorkgroups(_) => Level::Workgroup,
                Input::SubgroupSize | Input::NumSubgroups => Level::Workgroup,
                Input::SubgroupId => Level::Warp,
            },
            Operation::Unary(_, a) => of(a),
            Operation::Binary(_, a, b) => of(a).max(of(b)),
            Operation::FusedMultiplyAdd(a, b, c) => of(a).max(of(b)).max(of(c)),
            Operation::MultiplyShiftAdd { operands, .. } | Operation::Texture { operands, .. } => {
                operands.iter().map(of).max().expect("there are three")
            }
            Operation::Select { condition, accept, reject } => of(condition).max(of(accept)).max(of(reject)),
            Operation::Load { space: Space::GlobalReadOnly, address, .. } => of(address),
            // One instruction reads one word for the whole warp, and no other core can write it meanwhile.
            Operation::Load { space: Space::Workgroup, address, .. } => of(address).max(Level::Warp),
            Operation::Load { .. } if self.mutation == Some(Mutation::UniformLoads) => Level::Workgroup,
            Operation::Load { .. } | Operation::Atomic { .. } | Operation::CompareExchange { .. } => Level::Lane,
            Operation::Ballot(_) => Level::Warp,
            Operation::Any(a) | Operation::All(a) | Operation::BroadcastFirst(a) => of(a).min(Level::Warp),
            // An inactive source lane yields the reader's own value, so the lane must be known to be active. A number found
            // at run time is one of a lane: `translate` sees to that, and our own kernels are trusted.
            Operation::Shuffle(Shuffle::Index, a, lane)
                if of(a) == Level::Lane && self.is_full_warp && self.may_be_lane(*lane) =>
            {
                of(lane).max(self.control(0)).max(Level::Warp)
            }
            Operation::Shuffle(_, a, _) => of(a),
        }
    }

    /// False for a constant that is no number of a lane.
    fn may_be_lane(&self, number: Value) -> bool {
        self.constants[number.0 as usize].is_none_or(|number| number < self.lanes)
    }

    /// A load right between two barriers, with nothing that writes between them: `workgroupUniformLoad`.
    fn is_between_barriers(&self, operation: &Operation, block: &Block, index: usize) -> bool {
        let Operation::Load { space: Space::Workgroup, address, .. } = operation else { return false };
        let is_barrier = |statement: &&Statement| matches!(statement, Statement::Barrier { .. });
        let is_quiet = |statement: &&Statement| match statement {
            Statement::Let { operation, .. } => {
                !matches!(operation, Operation::Atomic { .. } | Operation::CompareExchange { .. })
            }
            Statement::Set { .. } => true,
            _ => false,
        };
        self.values[address.0 as usize] == Level::Workgroup
            && block[..index].iter().rev().find(|s| !is_quiet(s)).as_ref().is_some_and(is_barrier)
            && block[index + 1..].iter().find(|s| !is_quiet(s)).as_ref().is_some_and(is_barrier)
    }
}

fn raise(level: &mut Level, to: Level, changed: &mut bool) {
    if to > *level {
        *level = to;
        *changed = true;
    }
}
