import { Suspense, useState } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import type { MenuProps } from './menu-root.tsx';
import { openingPress } from './opening-press.tsx';

const load = () => import('./menu-root.tsx').then(({ MenuRoot }) => ({ default: MenuRoot }));
const MenuRoot = lazyPart(load);

/** A menu behind a button. What draws it is loaded when the button is first pointed at or pressed. */
export function Menu(props: MenuProps) {
  const [asked, setAsked] = useState(false);
  const closed = openingPress(props.trigger, 'menu', load, () => setAsked(true));
  return asked ? (
    <Suspense fallback={closed}>
      <MenuRoot {...props} />
    </Suspense>
  ) : (
    closed
  );
}
