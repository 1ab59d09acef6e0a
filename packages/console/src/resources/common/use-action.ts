import { useState } from 'react';
import { sayFailure, sayToast } from '../../ui/toast.tsx';

/** Runs what a button does: says what failed, and leaves everything as it was then. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>, done?: string): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      if (done) sayToast({ text: done });
      return true;
    } catch (error) {
      sayFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, run };
}
