import type { NodeProps } from '@xyflow/react';
import { memo } from 'react';
import { flowTexts } from '../../text/workflow-editor.ts';
import { cx } from '../../ui/cx.ts';
import { TextArea } from '../../ui/text-field.tsx';
import { useBuild } from '../editor/build-context.ts';
import { useEditor } from '../editor/editor-context.ts';
import type { RemarkElement } from './flow-elements.ts';

/** A remark on the canvas. It says something about the steps and does nothing. */
export const RemarkNode = memo(function RemarkNode({ id, data, selected }: NodeProps<RemarkElement>) {
  const { mayEdit } = useEditor();
  const { commands } = useBuild();
  const { text } = data.remark;
  return (
    <div className={cx('rounded-3 bg-warn-soft p-2 text-dense', selected && 'ring-2 ring-accent')}>
      {mayEdit ? (
        <TextArea
          aria-label={flowTexts.canvas.remarkText}
          value={text}
          className="nodrag nopan border-transparent bg-transparent text-dense"
          onChange={({ target }) => commands.editRemark(id, target.value)}
        />
      ) : (
        <p className="px-1 break-words whitespace-pre-wrap">{text}</p>
      )}
    </div>
  );
});
