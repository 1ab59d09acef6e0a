import { z } from 'zod';
import { ModelError } from '../../../drivers/models/driver.ts';
import type { ImageGenerators } from '../../images/service.ts';
import type { Tool, ToolProvider } from '../../tools/ports.ts';
import { defineTool, ToolError } from '../../tools/service.ts';
import type { ConversationFiles } from '../conversation-files/service.ts';
import { filesIn, toolFile } from '../conversation-files/tool-files.ts';
import { enabledEntry } from '../enabled-entry.ts';

const endings: Record<string, string> = { ffd8: 'jpg', '5249': 'webp', '4749': 'gif' };
const endingOf = (data: Uint8Array) => endings[Buffer.from(data.subarray(0, 2)).toString('hex')] ?? 'png';
const sizes = { square: '1024x1024', wide: '1536x1024', tall: '1024x1536' } as const;

/** Makes images with a model of the operator's choice. The prompt passes through the conversation's anonymizer. */
export const makeImageTools =
  ({ imageGenerators, kept }: { imageGenerators: ImageGenerators; kept: ConversationFiles }): ToolProvider =>
  async (_, settings, context): Promise<Tool[]> => {
    if (!enabledEntry(settings, 'image_generation')) return [];
    return [
      defineTool({
        tool: 'image_generation_make',
        description: 'Makes an image of what the prompt describes and shows it to the user.',
        input: z.object({
          prompt: z.string().trim().min(1).max(4000),
          shape: z.enum(['square', 'wide', 'tall']).optional(),
          filename: z.string().trim().min(1).max(200).optional(),
        }),
        output: z.object({ model: z.string(), files: z.array(toolFile) }),
        repeatable: true,
        files: filesIn,
        async run(scope, { prompt, shape, filename = 'image' }, signal) {
          const generator = await imageGenerators.resolve(scope);
          if ('reason' in generator) throw new ToolError(generator.reason);
          const images = await generator
            .generate(prompt, shape && sizes[shape], context.anonymizer, signal)
            .catch((error: unknown) => {
              throw error instanceof ModelError ? new ToolError(`No image was made: ${error.message}`) : error;
            });
          if (images.length === 0) throw new ToolError('No image was made: the model answered none');
          const files = [];
          const stem = filename.replace(/\.\w{2,5}$/, '');
          for (const { data } of images) {
            const made = {
              filename: `${stem}.${endingOf(data)}`,
              bytes: data,
              tool: 'image_generation_make',
              inline: true,
            };
            files.push(await kept.keep(scope, context, made));
          }
          return { model: generator.name, files };
        },
      }),
    ];
  };
