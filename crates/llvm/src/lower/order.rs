//! The order of blocks: each after those that lead to it, as far as loops allow.

use crate::ir::{Block, BlockId, Function, InstructionKind};

/// The blocks that can be reached, in reverse postorder. Exceptions are not modelled, so nothing
/// leads to where they are handled.
pub(super) fn of_blocks(function: &Function) -> Vec<BlockId> {
    let successors = |block: usize| successors(&function.blocks[block]);
    let order = reverse_postorder(function.blocks.len(), successors);
    order.into_iter().map(|block| BlockId(block as u32)).collect()
}

/// Where the end of a block leads.
pub(super) fn successors(block: &Block) -> Vec<usize> {
    let Some(last) = block.instructions.last() else { return Vec::new() };
    let blocks: Vec<BlockId> = match &last.kind {
        InstructionKind::Branch(to) => vec![*to],
        InstructionKind::ConditionalBranch { yes, no, .. } => vec![*yes, *no],
        InstructionKind::Switch { default, cases, .. } => {
            [*default].into_iter().chain(cases.iter().map(|case| case.1)).collect()
        }
        InstructionKind::IndirectBranch(_, targets) => targets.clone(),
        InstructionKind::Invoke(invoke) => vec![invoke.normal],
        InstructionKind::CallBranch { fallthrough, .. } => vec![*fallthrough],
        _ => Vec::new(),
    };
    blocks.into_iter().map(BlockId::index).collect()
}

/// The nodes that can be reached from node 0, each before its successors but for loops.
pub(super) fn reverse_postorder(nodes: usize, successors: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut order = Vec::with_capacity(nodes);
    let mut seen = vec![false; nodes];
    if nodes == 0 {
        return order;
    }
    seen[0] = true;
    let mut stack = vec![(0, successors(0))];
    while let Some((node, left)) = stack.last_mut() {
        match left.pop() {
            Some(next) if seen[next] => {}
            Some(next) => {
                seen[next] = true;
                stack.push((next, successors(next)));
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::reverse_postorder;

    #[test]
    fn loops_and_branches() {
        let graph = [vec![1, 2], vec![3], vec![3], vec![1, 4], vec![], vec![0]];
        let order = reverse_postorder(graph.len(), |node| graph[node].clone());
        let place = |node| order.iter().position(|&other| other == node);
        assert_eq!(order.len(), 5);
        assert_eq!(order[0], 0);
        assert!(place(2) < place(3) && place(3) < place(4));
        assert_eq!(place(5), None);
    }
}
