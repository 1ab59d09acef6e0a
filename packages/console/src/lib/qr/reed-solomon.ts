/** Product of two elements of the field that QR codes use (x^8 + x^4 + x^3 + x^2 + 1). */
export function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

/** The generator polynomial of a degree, without its first coefficient. */
function generatorOf(degree: number): number[] {
  const result = new Array<number>(degree).fill(0).with(-1, 1);
  let root = 1;
  for (let step = 0; step < degree; step++) {
    for (let index = 0; index < degree; index++)
      result[index] = multiply(result[index] ?? 0, root) ^ (index + 1 < degree ? (result[index + 1] ?? 0) : 0);
    root = multiply(root, 2);
  }
  return result;
}

/** The bytes by which a reader repairs the data. */
export function correctionOf(data: readonly number[], degree: number): number[] {
  const generator = generatorOf(degree);
  const rest = new Array<number>(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    generator.forEach((coefficient, index) => {
      rest[index] = (rest[index] ?? 0) ^ multiply(coefficient, factor);
    });
  }
  return rest;
}
