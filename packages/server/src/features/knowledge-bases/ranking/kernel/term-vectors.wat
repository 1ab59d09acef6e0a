;; Built with `wat2wasm term-vectors.wat` of wabt 1.0.39; term-vectors.ts compares the result with its checksum.
(module
  (import "env" "memory" (memory 1))
  ;; Adds weighted vectors of 8-bit numbers to sums of 32 bits. Two vectors are taken at a time, of each 16 numbers.
  ;; $starts: the address of each vector. $weights: 16 bits each. Both have $pairs * 2 entries. $size is a multiple of 16.
  (func (export "addVectors")
    (param $sums i32) (param $size i32) (param $starts i32) (param $weights i32) (param $pairs i32)
    (local $at i32) (local $place i32) (local $end i32) (local $weight i32)
    (local $a v128) (local $b v128) (local $both v128) (local $by v128)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $end (i32.add (local.get $starts) (i32.shl (local.get $pairs) (i32.const 3))))
    (block $done
      (loop $numbers
        (br_if $done (i32.ge_u (local.get $at) (local.get $size)))
        (local.set $s0 (v128.const i32x4 0 0 0 0))
        (local.set $s1 (v128.const i32x4 0 0 0 0))
        (local.set $s2 (v128.const i32x4 0 0 0 0))
        (local.set $s3 (v128.const i32x4 0 0 0 0))
        (local.set $place (local.get $starts))
        (local.set $weight (local.get $weights))
        (block $last
          (loop $vectors
            (br_if $last (i32.ge_u (local.get $place) (local.get $end)))
            (local.set $a (v128.load align=1 (i32.add (i32.load (local.get $place)) (local.get $at))))
            (local.set $b (v128.load align=1 (i32.add (i32.load offset=4 (local.get $place)) (local.get $at))))
            (local.set $by (v128.load32_splat (local.get $weight)))
            (local.set $both
              (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $a) (local.get $b)))
            (local.set $s0 (i32x4.add (local.get $s0)
              (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $both)) (local.get $by))))
            (local.set $s1 (i32x4.add (local.get $s1)
              (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $both)) (local.get $by))))
            (local.set $both
              (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $a) (local.get $b)))
            (local.set $s2 (i32x4.add (local.get $s2)
              (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $both)) (local.get $by))))
            (local.set $s3 (i32x4.add (local.get $s3)
              (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $both)) (local.get $by))))
            (local.set $place (i32.add (local.get $place) (i32.const 8)))
            (local.set $weight (i32.add (local.get $weight) (i32.const 4)))
            (br $vectors)))
        (v128.store (local.get $sums) (local.get $s0))
        (v128.store offset=16 (local.get $sums) (local.get $s1))
        (v128.store offset=32 (local.get $sums) (local.get $s2))
        (v128.store offset=48 (local.get $sums) (local.get $s3))
        (local.set $sums (i32.add (local.get $sums) (i32.const 64)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $numbers))))

  ;; Multiplies $rows vectors of 8-bit numbers, one after the other, by one of 16-bit numbers: a product of 32 bits for each.
  (func (export "multiplyVectors")
    (param $by i32) (param $size i32) (param $vectors i32) (param $rows i32) (param $products i32)
    (local $at i32) (local $end i32) (local $a v128) (local $sum v128)
    (local.set $end (i32.add (local.get $products) (i32.shl (local.get $rows) (i32.const 2))))
    (block $done
      (loop $vector
        (br_if $done (i32.ge_u (local.get $products) (local.get $end)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $at (i32.const 0))
        (block $last
          (loop $numbers
            (br_if $last (i32.ge_u (local.get $at) (local.get $size)))
            (local.set $a (v128.load align=1 (i32.add (local.get $vectors) (local.get $at))))
            (local.set $sum (i32x4.add (local.get $sum)
              (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $a))
                (v128.load (i32.add (local.get $by) (i32.shl (local.get $at) (i32.const 1)))))))
            (local.set $sum (i32x4.add (local.get $sum)
              (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $a))
                (v128.load offset=16 (i32.add (local.get $by) (i32.shl (local.get $at) (i32.const 1)))))))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br $numbers)))
        (i32.store (local.get $products)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $vectors (i32.add (local.get $vectors) (local.get $size)))
        (local.set $products (i32.add (local.get $products) (i32.const 4)))
        (br $vector)))))
