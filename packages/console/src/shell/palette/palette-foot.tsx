import { t } from '../../text/en.ts';

const words = t.shell.palette;

export const PaletteFoot = ({ keysOfNewTab }: { keysOfNewTab: string }) => (
  <p className="flex h-10 flex-none items-center gap-4.5 border-t border-line bg-bg px-4.5 text-caption text-text-3 max-phone:hidden">
    <span>
      <kbd>↑</kbd> <kbd>↓</kbd> {words.move}
    </span>
    <span>
      <kbd>↵</kbd> {words.open}
    </span>
    <span>
      <kbd>{keysOfNewTab}</kbd> {words.inNewTab}
    </span>
    <span className="ml-auto">
      {words.type} <kbd>&gt;</kbd> {words.commandsOnly}
    </span>
  </p>
);
