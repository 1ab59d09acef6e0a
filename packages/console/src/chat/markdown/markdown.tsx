import { memo, useRef } from 'react';
import type { Source } from '../citations/sources.ts';
import { Block } from './block.tsx';
import { noBlocks, splitBlocks } from './split-blocks.ts';

/** Words of an agent. While they are written, only their last blocks are read and drawn again. */
export const Markdown = memo(function Markdown({ text, sources }: { text: string; sources: readonly Source[] }) {
  const blocks = useRef(noBlocks);
  blocks.current = splitBlocks(blocks.current, text);
  return (
    <div dir="auto" className="text-reading wrap-anywhere max-phone:text-[16px] max-phone:leading-[25px]">
      {blocks.current.list.map(({ token, start }) => (
        <Block key={start} token={token} sources={sources} />
      ))}
    </div>
  );
});
