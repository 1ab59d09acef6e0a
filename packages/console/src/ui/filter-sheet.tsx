import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useIsPhone } from '../lib/use-is-phone.ts';
import { ui } from '../text/ui.ts';
import { Button } from './button.tsx';
import { Drawer } from './drawer.tsx';

/** Filters of a list in their row; on phones behind one button, in a sheet from below. `count`: how many are set. */
export function FilterSheet({ count, children }: { count: number; children: ReactNode }) {
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  if (!isPhone) return children;
  const close = () => setOpen(false);
  return (
    <>
      <Button
        icon={<SlidersHorizontal size={15} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        {count > 0 ? ui.filtersSet(count) : ui.filters}
      </Button>
      <Drawer open={isOpen} onClose={close} title={ui.filters}>
        <div className="flex flex-col items-stretch gap-3 p-4 *:w-full!">
          {children}
          <Button look="primary" size="large" onClick={close}>
            {ui.showFiltered}
          </Button>
        </div>
      </Drawer>
    </>
  );
}
