/** A moment by two clocks: the steady one runs on while the process is stopped, the wall clock while the machine sleeps. */
export interface Moment {
  wall: number;
  steady: number;
}

export const currentMoment = (): Moment => ({ wall: Date.now(), steady: performance.now() });

/** How many milliseconds ago it was, by the clock that says more. */
export const ageOf = ({ wall, steady }: Moment): number => Math.max(Date.now() - wall, performance.now() - steady);
