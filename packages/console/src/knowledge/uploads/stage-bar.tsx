import { documentTexts } from '../../text/knowledge/documents.ts';

/** The stages of a training and where the progress of each begins, in per cent of the whole. */
const stages = [
  { stage: 'extract', from: 0, to: 30 },
  { stage: 'chunk', from: 30, to: 35 },
  { stage: 'enrich', from: 35, to: 60 },
  { stage: 'embed', from: 60, to: 90 },
  { stage: 'index', from: 90, to: 100 },
] as const;

type Stage = keyof typeof documentTexts.stages;
const isStage = (stage: string): stage is Stage => stage in documentTexts.stages;
/** The words of a stage as the server names it. */
export const sayStage = (stage: string): string => documentTexts.stages[isStage(stage) ? stage : 'queued'];

interface StageBarProps {
  name: string;
  stage: string;
  /** How far the whole training is, in per cent. */
  progress: number;
}

/** The five stages of a file: those that are done, the one it is in, those to come. */
export function StageBar({ name, stage, progress }: StageBarProps) {
  const at = stage === 'done' ? stages.length : stages.findIndex((each) => each.stage === stage);
  return (
    <span
      role="img"
      aria-label={documentTexts.stageBar(name, Math.max(0, at), sayStage(stage))}
      className="grid min-w-0 flex-1 grid-cols-5 gap-1"
    >
      {stages.map(({ stage: each, from, to }, index) => {
        const share = index < at ? 1 : index > at ? 0 : (progress - from) / (to - from);
        return (
          <span
            key={each}
            title={documentTexts.stageNames[index]}
            className="h-1.5 overflow-hidden rounded-full bg-line-2"
          >
            <span
              className="block h-full rounded-full bg-accent"
              style={{ width: `${Math.round(Math.max(index === at ? 0.08 : 0, Math.min(1, share)) * 100)}%` }}
            />
          </span>
        );
      })}
    </span>
  );
}
