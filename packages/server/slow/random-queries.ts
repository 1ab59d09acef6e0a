/** Queries made of what lets values grow, the same for the same seed. */
export function* randomQueries(seed: number, count: number): Generator<string> {
  let state = seed;
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  const one = <T>(list: readonly T[]): T => list[random(list.length)] as T;

  const text = (depth: number): string => {
    if (depth === 0) return one(['t', 'x.t', "'abc'", 't::text', '(x.n)::text']);
    const [a, b] = [() => text(depth - 1), () => text(random(depth))];
    return one([
      () => `${a()} || ${b()}`,
      () => `concat(${a()}, ${b()}, ${b()})`,
      () => `concat_ws(${b()}, ${a()}, ${b()})`,
      () => `overlay(${a()} placing ${b()} from 1 for 0)`,
      () => `to_json(${a()})::text`,
      () => `jsonb_build_array(${a()}, ${b()})::text`,
      () => `array_to_string(array[${a()}, ${b()}], ',')`,
      () => `upper(${a()})`,
      () => `row(${a()}, ${b()})::text`,
      () => `coalesce(${a()}, ${b()})`,
      () => `(${a()})::char(${one([10, 900, 5000])})`,
      () => `left(${a()}, ${random(100)})`,
    ])();
  };
  const aggregate = () => {
    const value = text(random(2));
    return one([
      `string_agg(${value}, ',')`,
      `array_agg(${value})::text`,
      `json_agg(${value})::text`,
      `jsonb_agg(x)::text`,
      `json_object_agg(n, ${value})::text`,
      `max(${value})`,
      `string_agg(distinct ${value}, '')`,
    ]);
  };
  const source = (depth: number): string =>
    depth === 0 ? '(select word as t, k as n from few)' : `(${query(depth - 1)})`;
  const query = (depth: number): string => {
    const extra = one(['', '', ', few y', ', few y, few z', ' join few y on x.n = y.k']);
    const from = `from ${source(depth)} x${extra}`;
    return one([
      () => `select ${text(random(4))} as t, x.n as n ${from}`,
      () => `select ${aggregate()} as t, x.n as n ${from} group by x.n`,
      () => `select t, n ${from} order by ${text(random(3))}`,
      () => `select distinct ${text(random(3))} as t, x.n as n ${from}`,
      () => `select ${aggregate().replace('distinct ', '')} as t, 1 as n ${from}`,
    ])();
  };
  for (let turn = 0; turn < count; turn++) yield `select length(t) as size from (${query(random(5))}) q`;
}
