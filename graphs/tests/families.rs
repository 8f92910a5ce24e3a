//! The properties of each family, for any values and seeds.

use std::collections::{BTreeSet, VecDeque};

use hirace_graphs::families::FAMILIES;
use hirace_graphs::{Csr, Spec, egr};
use proptest::prelude::*;

#[track_caller]
fn build(spec: &str) -> Csr {
    Spec::parse(spec)
        .and_then(|spec| spec.build())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A specification of a small graph of any family.
fn specs() -> impl Strategy<Value = String> {
    let values = (0..FAMILIES.len(), 2_u32..40, 1_u32..6, 0_u32..30);
    values.prop_map(|(family, nodes, small, few)| {
        let name = FAMILIES[family].name;
        match name {
            "all" => format!("all:3#{}", (nodes + few) % 64),
            "grid" | "torus" => format!("{name}:{small}x{}x2", nodes % 5 + 1),
            "k_max_degree" => format!("{name}:{nodes},{small},seed={few}"),
            "rmat" => format!("{name}:{small},seed={few}"),
            "binary_forest" => format!("{name}:{nodes},{},seed={few}", small.min(nodes)),
            _ => format!("{name}:{nodes},seed={few}"),
        }
    })
}

/// The number of connected components, with edges in both directions.
fn components(graph: &Csr) -> u32 {
    let mut neighbours = vec![Vec::new(); graph.nodes() as usize];
    for (from, to) in graph.pairs() {
        neighbours[from as usize].push(to);
        neighbours[to as usize].push(from);
    }
    let mut seen = BTreeSet::new();
    let mut components = 0;
    for start in 0..graph.nodes() {
        components += u32::from(!seen.contains(&start));
        let mut waiting = VecDeque::from([start]);
        while let Some(vertex) = waiting.pop_front() {
            if seen.insert(vertex) {
                waiting.extend(&neighbours[vertex as usize]);
            }
        }
    }
    components
}

fn turned(graph: &Csr) -> BTreeSet<(u32, u32)> {
    graph.pairs().map(|(from, to)| (to, from)).collect()
}

/// Each pair of vertices with an edge in any direction, once.
fn joined(graph: &Csr) -> BTreeSet<(u32, u32)> {
    graph.pairs().map(|(a, b)| (a.min(b), a.max(b))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edges_are_sorted_different_and_no_loops(spec in specs()) {
        for orientation in ["directed", "counter-directed", "undirected"] {
            // Not all numbers are those of undirected graphs.
            if spec.starts_with("all") && orientation == "undirected" {
                continue;
            }
            let edges: Vec<_> = build(&format!("{spec},{orientation}")).pairs().collect();
            prop_assert!(edges.is_sorted_by(|a, b| a < b));
            prop_assert!(edges.iter().all(|(from, to)| from != to));
        }
    }

    #[test]
    fn the_same_specification_is_the_same_file(spec in specs()) {
        let graph = build(&spec);
        prop_assert_eq!(egr::encode(&graph), egr::encode(&build(&spec)));
        // Also for the printed form, which has all values with their names.
        let printed = Spec::parse(&spec).unwrap().to_string();
        prop_assert_eq!(build(&printed), graph);
    }

    #[test]
    fn names_are_specifications_of_their_graphs(spec in specs(), orientation in 0..3_usize) {
        let orientation = hirace_graphs::Orientation::ALL[orientation];
        let spec = Spec::parse(&spec.replace("#", ",").replace(":", &format!(":{orientation},")));
        // Not all numbers are those of undirected graphs, but all have names.
        let spec = spec.unwrap();
        let named = Spec::parse(&spec.name()).unwrap();
        prop_assert_eq!(named.to_string(), spec.to_string());
    }

    #[test]
    fn files_are_read_back(spec in specs()) {
        let graph = build(&spec);
        let bytes = egr::encode(&graph);
        prop_assert_eq!(egr::decode(&bytes).unwrap(), graph);
    }

    #[test]
    fn orientations_belong_together(spec in specs()) {
        prop_assume!(!spec.starts_with("all"));
        let directed = build(&spec);
        let counter = build(&format!("{spec},counter-directed"));
        let undirected = build(&format!("{spec},undirected"));
        prop_assert_eq!(turned(&directed), counter.pairs().collect());
        prop_assert!(undirected.summary().symmetric);
        prop_assert_eq!(joined(&undirected), joined(&directed));
    }

    #[test]
    fn dags_lead_upwards(nodes in 1_u32..50, seed: u64) {
        let graph = build(&format!("dag:{nodes},seed={seed}"));
        prop_assert!(graph.pairs().all(|(from, to)| from < to));
        prop_assert_eq!(graph.edges(), (2 * nodes).min(nodes * (nodes - 1) / 2));
    }

    #[test]
    fn full_graphs_can_be_requested(nodes in 1_u32..12, seed: u64) {
        let all = nodes * (nodes - 1);
        for (family, edges) in [("dag", all / 2), ("uniform_degree", all / 2), ("power_law", all)] {
            let graph = build(&format!("{family}:{nodes},{edges},seed={seed}"));
            prop_assert_eq!(graph.edges(), edges);
        }
    }

    #[test]
    fn degrees_stay_below_k(nodes in 1_u32..60, degree in 0_u32..9, seed: u64) {
        let graph = build(&format!("k_max_degree:{nodes},{degree},seed={seed},undirected"));
        prop_assert!(graph.degrees_out().iter().all(|found| *found <= degree));
    }

    #[test]
    fn no_two_vertices_of_uniform_degree_have_edges_both_ways(nodes in 2_u32..60, seed: u64) {
        let graph = build(&format!("uniform_degree:{nodes},seed={seed}"));
        prop_assert_eq!(joined(&graph).len() as u32, graph.edges());
    }

    #[test]
    fn grids_have_edges_along_each_side(a in 1_u32..6, b in 1_u32..6, c in 1_u32..6) {
        let graph = build(&format!("grid:{a}x{b}x{c}"));
        prop_assert_eq!(graph.nodes(), a * b * c);
        prop_assert_eq!(graph.edges(), (a - 1) * b * c + a * (b - 1) * c + a * b * (c - 1));
        prop_assert!(graph.pairs().all(|(from, to)| [1, c, b * c].contains(&(to - from))));
        prop_assert_eq!(components(&graph), 1);
    }

    #[test]
    fn tori_have_the_same_degree_everywhere(a in 3_u32..6, b in 3_u32..6) {
        let spec = format!("torus:{a}x{b}");
        let graph = build(&spec);
        prop_assert!(graph.degrees_out().iter().chain(&graph.degrees_in()).all(|degree| *degree == 2));
        let undirected = build(&format!("{spec},undirected"));
        prop_assert!(undirected.degrees_out().iter().all(|degree| *degree == 4));
        prop_assert_eq!(components(&graph), 1);
    }

    #[test]
    fn forests_are_binary_trees(nodes in 1_u32..60, trees in 1_u32..9, seed: u64) {
        let trees = trees.min(nodes);
        let graph = build(&format!("binary_forest:{nodes},{trees},seed={seed}"));
        prop_assert_eq!(graph.edges(), nodes - trees);
        prop_assert_eq!(components(&graph), trees);
        prop_assert!(graph.degrees_out().iter().all(|children| *children <= 2));
        prop_assert!(graph.degrees_in().iter().all(|parents| *parents <= 1));
        let tree = build(&format!("binary_tree:{nodes},seed={seed}"));
        prop_assert_eq!((tree.edges(), components(&tree)), (nodes - 1, 1));
    }

    /// A unit test of the family checks that no edges cross.
    #[test]
    fn planar_graphs_are_a_tree_and_its_levels(nodes in 1_u32..60, seed: u64) {
        let graph = build(&format!("simple_planar:{nodes},seed={seed}"));
        let edges = graph.edges();
        prop_assert!(edges + 1 >= nodes && edges <= 2 * nodes);
        prop_assert!(nodes < 3 || edges <= 3 * nodes - 6);
        prop_assert_eq!(components(&graph), 1);
    }

    #[test]
    fn stars_have_one_centre(nodes in 2_u32..60, seed: u64) {
        let graph = build(&format!("star:{nodes},seed={seed}"));
        prop_assert_eq!(graph.edges(), nodes - 1);
        prop_assert_eq!(graph.degrees_in().into_iter().max(), Some(nodes - 1));
    }

    #[test]
    fn each_vertex_has_one_random_neighbor(nodes in 2_u32..60, seed: u64) {
        let graph = build(&format!("random_neighbor:{nodes},seed={seed}"));
        prop_assert!(graph.degrees_out().iter().all(|degree| *degree == 1));
    }

    #[test]
    fn files_that_end_too_early_are_refused(spec in specs(), place: prop::sample::Index) {
        let bytes = egr::encode(&build(&spec));
        prop_assert!(egr::decode(&bytes[..place.index(bytes.len())]).is_err());
    }

    #[test]
    fn files_that_are_too_long_are_refused(spec in specs(), more in 1_usize..4) {
        let mut bytes = egr::encode(&build(&spec));
        bytes.resize(bytes.len() + more, 0);
        prop_assert!(egr::decode(&bytes).is_err());
    }

    #[test]
    fn numbers_out_of_range_are_refused(
        spec in specs(),
        place: prop::sample::Index,
        wrong in prop_oneof![i32::MIN..0, 1000..i32::MAX],
    ) {
        let mut bytes = egr::encode(&build(&spec));
        let words = bytes.len() / 4;
        let byte = 4 * place.index(words);
        bytes[byte..byte + 4].copy_from_slice(&wrong.to_le_bytes());
        prop_assert!(egr::decode(&bytes).is_err());
    }

    #[test]
    fn any_bytes_are_a_graph_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = egr::decode(&bytes);
    }

    #[test]
    fn any_text_is_a_specification_or_an_error(
        family in 0..FAMILIES.len(),
        values in "[0-9x=,#a-z:-]{0,12}",
    ) {
        if let Err(error) = Spec::parse(&format!("{}:{values}", FAMILIES[family].name)) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}

/// The share of edges that end at the tenth of the vertices with the most.
fn share_of_top_tenth(spec: &str) -> f64 {
    let graph = build(spec);
    let mut degrees = graph.degrees_in();
    degrees.sort_unstable_by(|a, b| b.cmp(a));
    let top: u32 = degrees.iter().take(degrees.len() / 10).sum();
    f64::from(top) / f64::from(graph.edges())
}

#[test]
fn skewed_families_are_skewed() {
    let flat = share_of_top_tenth("uniform_degree:1024,8000,seed=3");
    assert!(flat < 0.2, "{flat}");
    for spec in ["power_law:1024,8000,seed=3", "rmat:10,8000,seed=3"] {
        let skewed = share_of_top_tenth(spec);
        assert!(skewed > 2.0 * flat, "{spec}: {skewed} against {flat}");
    }
}

#[test]
fn all_graphs_have_a_number_each() {
    let directed: BTreeSet<_> = (0..64)
        .map(|n| build(&format!("all:3#{n}")).pairs().collect::<Vec<_>>())
        .collect();
    assert_eq!(directed.len(), 64);
    let undirected: Vec<Vec<_>> = (0..64)
        .map(|n| build(&format!("all:4,{n},undirected")).pairs().collect())
        .collect();
    assert_eq!(undirected.iter().collect::<BTreeSet<_>>().len(), 64);
    // The symmetric ones in the order of their numbers among the directed ones.
    let symmetric = (0..1 << 12)
        .map(|n| build(&format!("all:4#{n}")))
        .filter(|graph| graph.summary().symmetric)
        .map(|graph| graph.pairs().collect::<Vec<_>>());
    assert_eq!(symmetric.collect::<Vec<_>>(), undirected);
}

#[test]
fn numbers_are_indigos() {
    let edges = |spec: &str| build(spec).pairs().collect::<Vec<_>>();
    // Bits for (0,1), (0,2), (1,0), (1,2), (2,0), (2,1).
    assert_eq!(edges("all:3#0"), []);
    assert_eq!(edges("all:3#2"), [(0, 2)]);
    assert_eq!(edges("all:3#41"), [(0, 1), (1, 2), (2, 1)]);
}

#[track_caller]
fn check_refused(spec: &str, expect: &str) {
    let error = Spec::parse(spec).and_then(|spec| spec.build()).unwrap_err();
    assert_eq!(error.to_string(), expect);
}

#[test]
fn unknown_graphs_are_refused_with_the_known_ones() {
    check_refused(
        "ring:5",
        "graph `ring:5`: there is no family `ring`, only all, binary_forest, binary_tree, dag, \
         grid, k_max_degree, power_law, random_neighbor, rmat, simple_planar, star, torus, \
         uniform_degree",
    );
    check_refused(
        "dag",
        "graph `dag`: nodes is missing; write \
         dag:NODES[,edges=EDGES][,seed=SEED][,undirected|counter-directed]",
    );
    check_refused(
        "grid:2x3,size=4",
        "graph `grid:2x3,size=4`: `size=4` does not fit grid:SIDES[,undirected|counter-directed]",
    );
    check_refused("star:x", "graph `star:x`: nodes: `x` is not a whole number");
    check_refused(
        "grid:3x0",
        "graph `grid:3x0`: sides: `3x0` is not a list of sides such as `4x3`",
    );
    check_refused(
        "star:4,seed=1,seed=2",
        "graph `star:4,seed=1,seed=2`: `seed=2` repeats an earlier value",
    );
    check_refused(
        "star:0",
        "graph `star:nodes=0`: a graph has at least 1 vertex",
    );
    check_refused(
        "dag:4,7",
        "graph `dag:nodes=4,edges=7`: 4 vertices of this family have at most 6 edges, not 7",
    );
    check_refused(
        "binary_forest:3,4",
        "graph `binary_forest:nodes=3,trees=4`: 3 vertices form 1 to 3 trees, not 4",
    );
    check_refused(
        "all:3#64",
        "graph `all:nodes=3,number=64`: there are 64 directed graphs with 3 vertices, numbered \
         from 0, and none is number 64",
    );
    let full = Spec::parse("rmat:6,4032").and_then(|spec| spec.build());
    let message = full.unwrap_err().to_string();
    assert!(
        message.ends_with(" different ones, not 4032; request fewer"),
        "{message}"
    );
}

/// Numbers are checked before anything is allocated: these graphs would take terabytes.
#[test]
fn huge_graphs_are_refused() {
    for spec in [
        "star:18446744073709551615",
        "star:300000000",
        "grid:4000000000x4000000000x4000000000",
        "torus:65536x65536",
        "dag:200000000,10000000000",
        "power_law:200000000,10000000000",
        "k_max_degree:200000000,200000000",
        "rmat:29",
        "rmat:28,9000000000",
        "all:9#0",
        "all:12,undirected#0",
        "all:18446744073709551615#0",
        "binary_forest:10,18446744073709551615",
        "dag:18446744073709551616",
    ] {
        let built = Spec::parse(spec).and_then(|spec| spec.build());
        assert!(built.is_err(), "{spec}");
    }
}

#[test]
fn names_are_different_and_harmless() {
    let mut names = BTreeSet::new();
    for spec in [
        "dag:5",
        "dag:5,10",
        "dag:5,1",
        "dag:51",
        "dag:5,seed=2",
        "dag:5,undirected",
        "dag:5,counter-directed",
        "grid:5x1",
        "grid:51",
        "torus:5x1",
        "all:3#1",
        "all:3#1,undirected",
        "rmat:5",
        "rmat:5,5",
        "k_max_degree:5,5",
    ] {
        let name = Spec::parse(spec).unwrap().name();
        let harmless = |character: char| character.is_ascii_alphanumeric() || character == '_';
        assert!(name.chars().all(harmless), "{name}");
        assert!(names.insert(name.clone()), "{name}");
    }
    // A default value may be given or omitted.
    let name = |spec: &str| Spec::parse(spec).unwrap().name();
    assert_eq!(
        name("binary-tree:7,seed=1"),
        name("binary_tree:nodes=7,directed")
    );
}
