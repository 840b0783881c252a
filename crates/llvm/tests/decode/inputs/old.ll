; Typed pointers, intrinsics with typed names, debug calls: as LLVM 14 writes them.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { %struct.node*, i32, [4 x i8] }
%struct.opaque = type opaque
%struct.pair = type { i32, i8* }

@head = dso_local global %struct.node { %struct.node* @head, i32 7, [4 x i8] c"abc\00" }, align 8, !dbg !0
@inner = internal constant i32* getelementptr inbounds (%struct.node, %struct.node* @head, i32 0, i32 1)
@casted = global i8* bitcast (%struct.node* @head to i8*)
@number = global i64 ptrtoint (%struct.node* @head to i64)
@chosen = global i32 select (i1 icmp eq (%struct.node* @head, %struct.node* null), i32 1, i32 2)
@vector = constant <4 x i32> <i32 1, i32 2, i32 undef, i32 4>
@targets = internal constant [2 x i8*] [i8* blockaddress(@jump, %one), i8* blockaddress(@jump, %two)]
@late = thread_local(initialexec) global i32 0, align 4
@second = weak alias %struct.node, %struct.node* @head
@hidden = external hidden global %struct.opaque

declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg)
declare i32 @printf(i8*, ...)
declare i32 @__gxx_personality_v0(...)
declare token @llvm.call.preallocated.setup(i32)

define dso_local i32 @first(%struct.node* noundef %n, i32 %x) !dbg !10 {
entry:
  %n.addr = alloca %struct.node*, align 8
  %x.addr = alloca i32, align 4
  store %struct.node* %n, %struct.node** %n.addr, align 8
  call void @llvm.dbg.declare(metadata %struct.node** %n.addr, metadata !15, metadata !DIExpression()), !dbg !16
  store i32 %x, i32* %x.addr, align 4
  call void @llvm.dbg.declare(metadata i32* %x.addr, metadata !17, metadata !DIExpression()), !dbg !18
  %0 = load %struct.node*, %struct.node** %n.addr, align 8, !dbg !19
  %v = getelementptr inbounds %struct.node, %struct.node* %0, i32 0, i32 1, !dbg !20
  %1 = load i32, i32* %v, align 8, !dbg !20
  %2 = bitcast %struct.node* %0 to i8*, !dbg !20
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %2, i8* align 8 bitcast (%struct.node* @head to i8*), i64 16, i1 false), !dbg !20
  %call = call i32 (i8*, ...) @printf(i8* %2, i32 %1, double 1.5), !dbg !21
  %sum = add nsw i32 %1, %call, !dbg !21
  call void @llvm.dbg.value(metadata i32 %sum, metadata !17, metadata !DIExpression()), !dbg !21
  ret i32 %sum, !dbg !21
}

define i32 @second_one(i32* %p, i32 (i32)* %f) personality i32 (...)* @__gxx_personality_v0 {
  %1 = load atomic i32, i32* %p syncscope("singlethread") acquire, align 4
  store atomic volatile i32 %1, i32* %p release, align 4
  %2 = atomicrmw umax i32* %p, i32 3 monotonic, align 4
  %3 = cmpxchg weak volatile i32* %p, i32 %2, i32 5 acq_rel acquire, align 4
  %4 = extractvalue { i32, i1 } %3, 0
  fence syncscope("agent") seq_cst
  %5 = invoke i32 %f(i32 %4) [ "deopt"(i32 1, i8* null) ] to label %6 unwind label %8

6:
  %7 = phi i32 [ %5, %0 ]
  ret i32 %7

8:
  %9 = landingpad { i8*, i32 } cleanup catch i8* null filter [1 x i8*] zeroinitializer
  %10 = extractvalue { i8*, i32 } %9, 1
  %11 = insertvalue { i8*, i32 } %9, i32 %10, 1
  resume { i8*, i32 } %11
}

define i32 @jump(i32 %n) {
  %slot = getelementptr [2 x i8*], [2 x i8*]* @targets, i32 0, i32 %n
  %target = load i8*, i8** %slot
  indirectbr i8* %target, [label %one, label %two]
one:
  %a = phi i32 [ 1, %0 ], [ %c, %two ]
  br label %two
two:
  %b = phi i32 [ 2, %0 ], [ %a, %one ]
  %c = add nuw nsw i32 %b, 1
  %d = icmp ult i32 %c, 10
  br i1 %d, label %one, label %end
end:
  switch i32 %c, label %out [
    i32 -5, label %out
    i32 7, label %one.more
  ]
one.more:
  %e = freeze i32 %c
  ret i32 %e
out:
  unreachable
}

define fastcc <4 x float> @vectors(<4 x float> %a, <4 x i32> %m, float %s, i8* %q) {
  %i = insertelement <4 x float> %a, float %s, i32 2
  %e = extractelement <4 x float> %i, i32 0
  %n = fneg fast float %e
  %sh = shufflevector <4 x float> %i, <4 x float> undef, <4 x i32> <i32 3, i32 undef, i32 1, i32 0>
  %z = shufflevector <4 x float> %sh, <4 x float> undef, <4 x i32> zeroinitializer
  %c = fcmp nnan ninf olt <4 x float> %z, %a
  %k = icmp sgt <4 x i32> %m, zeroinitializer
  %b = and <4 x i1> %c, %k
  %r = select <4 x i1> %b, <4 x float> %z, <4 x float> %a
  %t = fadd reassoc nsz <4 x float> %r, <float 0x3FB99999A0000000, float 1.0, float -0.0, float 0x7FF0000000000000>
  %x = va_arg i8* %q, x86_fp80
  %y = fptrunc x86_fp80 %x to float
  %w = fmul float %y, %n
  %u = insertelement <4 x float> %t, float %w, i64 3
  %tail = tail call fastcc <4 x float> @vectors(<4 x float> %u, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, float %w, i8* %q)
  ret <4 x float> %tail
}

define void @unusual(half %h, fp128 %l, i37 %o, i128 %w, i1 %t) {
  %1 = alloca %struct.pair, i64 4, align 16
  %2 = alloca inalloca i8, align 1
  %3 = fpext half %h to double
  %4 = fadd fp128 %l, 0xL00000000000000004000000000000000
  %5 = mul i37 %o, -3
  %6 = xor i128 %w, -170141183460469231731687303715884105728
  %7 = fadd double %3, 0x7FF8000000000001
  %8 = lshr exact i37 %5, 2
  %9 = zext i1 %t to i37
  %10 = call i64 asm sideeffect inteldialect "mov $0, $1", "=r,r,~{dirflag}"(i64 3)
  ret void
}

!llvm.module.flags = !{!30, !31}
!llvm.dbg.cu = !{!2}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "head", scope: !2, file: !3, line: 4, type: !5, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "by hand", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4)
!3 = !DIFile(filename: "old.c", directory: "/tmp")
!4 = !{!0}
!5 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !3, line: 2, size: 128, elements: !6)
!6 = !{!7, !9}
!7 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !5, file: !3, line: 2, baseType: !8, size: 64)
!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5, size: 64)
!9 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !5, file: !3, line: 2, baseType: !14, size: 32, offset: 64)
!10 = distinct !DISubprogram(name: "first", scope: !3, file: !3, line: 6, type: !11, scopeLine: 6, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !13)
!11 = !DISubroutineType(types: !12)
!12 = !{!14, !8, !14}
!13 = !{}
!14 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!15 = !DILocalVariable(name: "n", arg: 1, scope: !10, file: !3, line: 6, type: !8)
!16 = !DILocation(line: 6, column: 24, scope: !10)
!17 = !DILocalVariable(name: "x", arg: 2, scope: !10, file: !3, line: 6, type: !14)
!18 = !DILocation(line: 6, column: 31, scope: !10)
!19 = !DILocation(line: 7, column: 3, scope: !10)
!20 = !DILocation(line: 7, column: 6, scope: !10)
!21 = !DILocation(line: 8, column: 3, scope: !22)
!22 = distinct !DILexicalBlock(scope: !10, file: !3, line: 8, column: 1)
!30 = !{i32 2, !"Debug Info Version", i32 3}
!31 = !{i32 7, !"PIC Level", i32 2}
