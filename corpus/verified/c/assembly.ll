; LLVM assembly as it stands: two threads add to a counter by an atomic instruction.
; Count: 1, since nobody uses what the additions find, and they commute.
;~ skip: none
;~ dpor: executions=1
;~ source: executions=1
;~ optimal: executions=1
;~ observers: executions=1
;~ cs: executions=1
;~ optimal-cs: executions=1
;~ optimal-cs-observers: executions=1
;~ constrained: executions=1
;~ quasi:optimal: executions=1
@counter = global i32 0

define ptr @worker(ptr %unused) {
  %old = atomicrmw add ptr @counter, i32 1 seq_cst
  ret ptr null
}

define i32 @main() {
  %thread = alloca i64
  %created = call i32 @pthread_create(ptr %thread, ptr null, ptr @worker, ptr null)
  %unused = call ptr @worker(ptr null)
  %handle = load i64, ptr %thread
  %joined = call i32 @pthread_join(i64 %handle, ptr null)
  %total = load atomic i32, ptr @counter seq_cst, align 4
  %right = icmp eq i32 %total, 2
  br i1 %right, label %end, label %wrong

wrong:
  call void @abort()
  unreachable

end:
  ret i32 0
}

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare void @abort()
