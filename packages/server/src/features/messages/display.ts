import { plainOf } from '@atrium/contract/settings/rich-text.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { isOutsider, type Scope } from '../../lib/scope.ts';
import { toolEntryOf } from '../settings/service.ts';
import { seesAllParts } from './hidden-parts.ts';
import type { Display, ToolDisplay } from './ports.ts';

const words = (value: unknown) => (typeof value === 'string' && value ? value : null);

function toolLook(settings: Settings, name: string): ToolDisplay | null {
  if (settings.tool_display_preset === 'hidden' || settings.chain_of_thought_final_answer_only) return null;
  const entry = toolEntryOf(settings, name);
  if (settings.hidden_tools.includes(name) || entry?.visible === false) return null;
  if (settings.tool_display_preset === 'minimal')
    return { form: 'activity', message: settings.minimal_caret_only ? null : settings.minimal_tool_message };
  return {
    form: 'whole',
    title: words(entry?.title),
    icon: words(entry?.tool_display_icon),
    start: words(entry?.tool_display_message_start),
    end: words(entry?.tool_display_message_end),
  };
}

/** What administrators of the workspace see. */
export function displayOf(settings: Settings): Display {
  const looks = new Map<string, ToolDisplay | null>();
  const left_out = new Set([
    ...(settings.hide_workflow_progress ? ['data-workflow-progress'] : []),
    ...(settings.hide_state_transitions ? ['data-state-transition'] : []),
  ]);
  return {
    reasoning: !settings.hide_reasoning && !settings.chain_of_thought_final_answer_only,
    groups: settings.group_into_chain_of_thought,
    errors: !settings.hide_error_banners,
    advice: true,
    failure_text: null,
    thinking_text: null,
    footers: settings.message_footer_enabled,
    metadata: true,
    tool(name) {
      if (!looks.has(name)) looks.set(name, toolLook(settings, name));
      return looks.get(name) ?? null;
    },
    sources:
      settings.citation_style === 'none'
        ? null
        : {
            footnotes: settings.citation_style === 'footnote',
            unique: settings.deduplicate_sources_by_url,
            quotes: !settings.omit_citation_quotes,
            images: settings.show_source_images,
            ids: true,
          },
    part: (type) => !left_out.has(type),
  };
}

/** What this caller sees: outsiders as in a channel, and only administrators text for the operator. */
export function displayFor(scope: Pick<Scope, 'actor' | 'permissions'>, settings: Settings): Display {
  if (isOutsider(scope)) return channelDisplay(settings);
  return { ...displayOf(settings), advice: seesAllParts(scope) };
}

/** What guests of a link and users of a channel see: nothing about how the reply was made. */
export function channelDisplay(settings: Settings): Display {
  const shown = displayOf(settings);
  return {
    ...shown,
    metadata: false,
    advice: false,
    // Reasons and warnings name models and quote their providers.
    failure_text: 'The agent could not answer',
    part: (type) => type !== 'data-warning' && type !== 'data-state-transition' && shown.part(type),
    thinking_text: settings.transport_thinking_text || null,
    reasoning: shown.reasoning && settings.transport_show_thinking,
    tool: settings.transport_show_tool_calls ? shown.tool : () => null,
    sources: settings.transport_show_sources && shown.sources ? { ...shown.sources, ids: false } : null,
  };
}

/** The text of the `footer` event of a run; null when there is none to write. */
export const footerText = ({ message_footer_enabled, message_footer }: Settings): string | null =>
  (message_footer_enabled && plainOf(message_footer)) || null;
