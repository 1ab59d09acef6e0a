import { type ComponentType, Suspense } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';

/** A part of the chat that is loaded after its first words: the place stays empty until it is there. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazyPart(async () => ({ default: (await load()) as ComponentType<object> }));
  return function Later(props: P) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}
