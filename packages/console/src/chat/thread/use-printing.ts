import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { sayFailure } from '../../ui/toast.tsx';
import type { Thread } from './thread-store.ts';

/** Paper is white: a dark page is printed in its light colours. */
function lightenPage(): () => void {
  const { dataset } = document.documentElement;
  const before = dataset['theme'];
  if (before) dataset['theme'] = 'light';
  return () => {
    if (before) dataset['theme'] = before;
  };
}

/** Whether the page is being printed. What it draws for that is there before the browser takes its picture. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    let restore: (() => void) | undefined;
    const show = (next: boolean) => {
      if (next === (restore !== undefined)) return;
      restore?.();
      restore = next ? lightenPage() : undefined;
      flushSync(() => setPrinting(next));
    };
    const begin = () => show(true);
    const end = () => show(false);
    const media = matchMedia('print');
    const onMedia = () => show(media.matches);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    media.addEventListener('change', onMedia);
    return () => {
      restore?.();
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
      media.removeEventListener('change', onMedia);
    };
  }, []);
  return printing;
}

/** Prints all of a conversation: its older messages are loaded first. */
export async function printThread(thread: Thread): Promise<void> {
  try {
    while (thread.snapshot().hasOlder) await thread.loadOlder();
    window.print();
  } catch (error) {
    sayFailure(error, () => void printThread(thread));
  }
}
