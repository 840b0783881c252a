use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread;

static COUNT: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let map = Arc::new((Mutex::new(HashMap::new()), Condvar::new()));
    let (sender, receiver) = mpsc::channel();
    let threads: Vec<_> = (0..3)
        .map(|number| {
            let (map, sender) = (Arc::clone(&map), sender.clone());
            thread::spawn(move || {
                map.0.lock().unwrap().insert(number, format!("thread {number}"));
                map.1.notify_one();
                COUNT.fetch_add(1, Ordering::AcqRel);
                sender.send(number).unwrap();
            })
        })
        .collect();
    drop(sender);
    let total: i32 = receiver.iter().sum();
    for thread in threads {
        thread.join().unwrap();
    }
    println!("{total} {} {}", map.0.lock().unwrap().len(), COUNT.load(Ordering::SeqCst));
}
