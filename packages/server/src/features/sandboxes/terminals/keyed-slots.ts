/** Limits how many things there are at once, in all and of each key. */
interface KeyedSlots {
  /** Takes a slot without waiting; says which limit is reached where none is free. */
  take(key: string): { release(): void } | 'all_taken' | 'key_at_limit';
}

export function makeKeyedSlots({ most, most_of_key }: { most: number; most_of_key: number }): KeyedSlots {
  const taken = new Map<string, number>();
  let total = 0;

  function count(key: string, change: 1 | -1): void {
    const of_key = (taken.get(key) ?? 0) + change;
    if (of_key > 0) taken.set(key, of_key);
    else taken.delete(key);
    total += change;
  }

  return {
    take(key) {
      if ((taken.get(key) ?? 0) >= most_of_key) return 'key_at_limit';
      if (total >= most) return 'all_taken';
      count(key, 1);
      let released = false;
      return {
        release() {
          if (!released) count(key, -1);
          released = true;
        },
      };
    },
  };
}
