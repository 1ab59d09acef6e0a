;; Built with `wat2wasm split-text.wat` of wabt 1.0.39; text-splitter.ts compares the result with its checksum.
(module
  (import "env" "memory" (memory 1))
  ;; Splits the UTF-16 text from $at to $end into words, in lower case in its place, and writes the term of each to $found.
  ;; Where words begin and end that have none is written to $unknown, followed by an end of 0. Answers how many words there are.
  ;; -1: the text has a unit that this can't do. $kinds: for each unit, its lower case if it is part of words, 0 if it is not,
  ;; and 0xffff if this can't do it. $slots: the hash, the term, the address and
  ;; the length in bytes of a word in each, the length 0 if the slot is free; $mask is their number less 1.
  (func (export "splitText")
    (param $at i32) (param $end i32) (param $kinds i32) (param $slots i32) (param $mask i32)
    (param $found i32) (param $unknown i32) (result i32)
    (local $first i32) (local $start i32) (local $unit i32) (local $hash i32) (local $length i32)
    (local $tries i32) (local $slot i32) (local $place i32) (local $term i32)
    (local.set $first (local.get $found))
    (block $done
      (loop $words
        (block $letter
          (loop $others
            (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $unit (i32.load16_u (i32.add (local.get $kinds) (i32.shl (i32.load16_u (local.get $at)) (i32.const 1)))))
            (if (i32.eq (local.get $unit) (i32.const 0xffff)) (then (return (i32.const -1))))
            (br_if $letter (local.get $unit))
            (local.set $at (i32.add (local.get $at) (i32.const 2)))
            (br $others)))
        (local.set $start (local.get $at))
        (local.set $hash (i32.const 0x811c9dc5))
        (block $ended
          (loop $letters
            (i32.store16 (local.get $at) (local.get $unit))
            (local.set $hash
              (i32.mul (i32.xor (local.get $hash) (local.get $unit)) (i32.const 0x01000193)))
            (local.set $at (i32.add (local.get $at) (i32.const 2)))
            (br_if $ended (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $unit (i32.load16_u (i32.add (local.get $kinds) (i32.shl (i32.load16_u (local.get $at)) (i32.const 1)))))
            (if (i32.eq (local.get $unit) (i32.const 0xffff)) (then (return (i32.const -1))))
            (br_if $letters (local.get $unit))))
        (local.set $length (i32.sub (local.get $at) (local.get $start)))
        (local.set $term (i32.const -2))
        (local.set $tries (i32.const 0))
        (block $known
          (loop $try
            (local.set $slot (i32.add (local.get $slots)
              (i32.shl (i32.and (i32.add (local.get $hash) (local.get $tries)) (local.get $mask)) (i32.const 4))))
            (br_if $known (i32.eqz (i32.load offset=12 (local.get $slot))))
            (block $other
              (br_if $other (i32.ne (i32.load (local.get $slot)) (local.get $hash)))
              (br_if $other (i32.ne (i32.load offset=12 (local.get $slot)) (local.get $length)))
              (local.set $place (i32.const 0))
              (loop $compare
                (br_if $other (i32.ne
                  (i32.load16_u (i32.add (i32.load offset=8 (local.get $slot)) (local.get $place)))
                  (i32.load16_u (i32.add (local.get $start) (local.get $place)))))
                (local.set $place (i32.add (local.get $place) (i32.const 2)))
                (br_if $compare (i32.lt_u (local.get $place) (local.get $length))))
              (local.set $term (i32.load offset=4 (local.get $slot)))
              (br $known))
            (local.set $tries (i32.add (local.get $tries) (i32.const 1)))
            (br_if $try (i32.lt_u (local.get $tries) (i32.const 32)))))
        (i32.store (local.get $found) (local.get $term))
        (local.set $found (i32.add (local.get $found) (i32.const 4)))
        (if (i32.eq (local.get $term) (i32.const -2))
          (then
            (i32.store (local.get $unknown) (local.get $start))
            (i32.store offset=4 (local.get $unknown) (local.get $at))
            (local.set $unknown (i32.add (local.get $unknown) (i32.const 8)))))
        (br $words)))
    (i32.store offset=4 (local.get $unknown) (i32.const 0))
    (i32.shr_u (i32.sub (local.get $found) (local.get $first)) (i32.const 2))))
