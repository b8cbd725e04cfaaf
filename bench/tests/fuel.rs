//! How much each kernel executes in wasm a word, so that none grows unnoticed.
//!
//! Fuel is counted by an interpreter, an instruction at a time: the same in every run. It catches
//! above all a compiler that makes vectors of scalar loops, which the page would pay for.
//!
//! `EXTSCOPE_KERNELS_WASM` names the module, the example `kernels` built for wasm32.

use wasmi::{Config, Engine, Instance, Linker, Module, Store, TypedFunc};

/// Bytes of the bitmaps.
const BYTES: u32 = 1 << 16;

/// Part of a limit by which a count may be over it.
const TOLERANCE: f64 = 0.05;

/// Case, its place among its name's, table from the last, fuel a word of 64 bits.
const LIMITS: &[(&str, usize, u32, f64)] = &[
    ("count", 0, 0, 7.93),
    ("count", 0, 1, 6.96),
    ("by group", 0, 0, 7.22),
    ("by group", 0, 1, 7.09),
    ("pyramid", 0, 0, 8.38),
    ("pyramid", 0, 1, 7.46),
    ("skip", 0, 0, 6.06),
    ("skip", 0, 1, 9.04),
    ("equal", 0, 0, 7.33),
    ("equal", 0, 1, 12.79),
    ("compare", 0, 0, 16.67),
    ("compare", 0, 1, 15.51),
    ("edges", 0, 0, 31.32),
    ("edges", 0, 1, 40.98),
    ("edges", 1, 0, 60.29),
    ("edges", 1, 1, 68.98),
    ("edges", 2, 0, 230.00),
    ("edges", 2, 1, 237.98),
    ("edges", 3, 0, 665.11),
    ("edges", 3, 1, 673.08),
    ("census", 0, 0, 8.70),
    ("census", 1, 0, 32.12),
    ("census", 2, 0, 31.09),
    ("census", 3, 0, 344.80),
    ("census", 4, 0, 1508.78),
    ("claim", 0, 0, 384.06),
    ("claim", 1, 0, 52.70),
    ("crc32c", 0, 0, 90.36),
    ("crc32c", 1, 0, 16.73),
    ("crc32c x1", 0, 0, 93.47),
];

struct Kernels {
    store: Store<()>,
    instance: Instance,
}

impl Kernels {
    fn load(path: &std::path::Path) -> Self {
        let mut config = Config::default();
        config.consume_fuel(true);
        let engine = Engine::new(&config);
        let bytes = std::fs::read(path).expect("the module can be read");
        let module = Module::new(&engine, bytes).expect("the module is valid");
        let mut store = Store::new(&engine, ());
        store.set_fuel(u64::MAX).expect("fuel is on");
        let linker = Linker::new(&engine);
        let instance =
            linker.instantiate_and_start(&mut store, &module).expect("it asks nothing of a host");
        Self { store, instance }
    }

    fn call<P: wasmi::WasmParams, R: wasmi::WasmResults>(&mut self, name: &str, params: P) -> R {
        let function: TypedFunc<P, R> =
            self.instance.get_typed_func(&self.store, name).expect("it is exported");
        function.call(&mut self.store, params).expect("it does not trap")
    }

    fn name(&mut self, case: u32) -> String {
        let at: u32 = self.call("name_at", case);
        let len: u32 = self.call("name_bytes", case);
        let memory = self.instance.get_memory(&self.store, "memory").expect("it is exported");
        let bytes = memory.data(&self.store)[at as usize..][..len as usize].to_vec();
        String::from_utf8(bytes).expect("a name is text")
    }

    /// Fuel of a case a word.
    fn fuel(&mut self, table: u32) -> f64 {
        self.store.set_fuel(u64::MAX).expect("fuel is on");
        let _: u64 = self.call("run", table);
        let spent = u64::MAX - self.store.get_fuel().expect("fuel is on");
        spent as f64 * 8.0 / f64::from(BYTES)
    }
}

#[test]
fn no_kernel_executes_more_in_wasm_than_it_did() {
    let Some(path) = std::env::var_os("EXTSCOPE_KERNELS_WASM") else {
        eprintln!("skipped: EXTSCOPE_KERNELS_WASM does not name the kernels built for wasm");
        return;
    };
    let mut kernels = Kernels::load(path.as_ref());
    let mut rows = String::new();
    let mut wrong = 0;
    let mut seen: Vec<String> = Vec::new();
    let count: u32 = kernels.call("case_count", ());
    for case in 0..count {
        let name = kernels.name(case);
        let place = seen.iter().filter(|seen| **seen == name).count();
        seen.push(name.clone());
        let runs: f64 = kernels.call("prepare", (case, BYTES));
        assert!(runs >= 0.0, "{name} can be prepared");
        let tables: u32 = kernels.call("table_count", case);
        for table in 0..tables {
            let fuel = kernels.fuel(table);
            let limit =
                LIMITS.iter().find(|(of, at, by, _)| (*of, *at, *by) == (&name, place, table));
            let is_within = limit.is_some_and(|(.., limit)| fuel <= limit * (1.0 + TOLERANCE));
            wrong += u32::from(!is_within);
            let verdict = if is_within { "" } else { " // MORE, or no limit" };
            rows += &format!("    (\"{name}\", {place}, {table}, {fuel:.2}),{verdict}\n");
        }
    }
    assert_eq!(wrong, 0, "fuel a word:\n{rows}");
}
