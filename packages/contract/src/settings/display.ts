import * as s from '../schema/schema.ts';
import { emptyRichText, richText } from './rich-text.ts';
import { behaviour, presentation } from './setting-class.ts';

const feedbackForm = { test: 'a shared conversation brings the words of its feedback form' };

export const display = {
  hide_reasoning: presentation(s.bool(), false, 'Reasoning is left out of what users see', {
    test: 'hide_reasoning leaves reasoning out of what users see',
  }),
  group_into_chain_of_thought: presentation(s.bool(), true, 'Reasoning and tool parts become one group', {
    test: 'group_into_chain_of_thought marks each run of reasoning and tools with the number of its parts',
  }),
  chain_of_thought_final_answer_only: presentation(s.bool(), false, 'The group is left out', {
    test: 'chain_of_thought_final_answer_only leaves the chain of thought out',
  }),
  hide_workflow_progress: presentation(s.bool(), false, 'Workflow progress is left out', {
    test: 'hide_workflow_progress leaves the progress of workflows out',
  }),
  hide_error_banners: presentation(s.bool(), true, 'Error parts are left out', {
    test: 'hide_error_banners leaves error parts out, and clients still learn that the run failed',
  }),
  tool_display_preset: presentation(
    s.oneOf(['execution', 'minimal', 'hidden']),
    'execution',
    'How tool calls are shown',
    {
      test: 'tool_display_preset shows tool calls whole, as an activity, or not at all',
    },
  ),
  minimal_caret_only: presentation(s.bool(), true, 'The minimal form is a caret', {
    test: 'minimal_caret_only says nothing with the minimal form',
  }),
  message_footer_enabled: presentation(s.bool(), false, 'A footer under each reply', {
    test: 'message_footer_enabled puts a footer under each reply',
  }),
  message_footer: presentation(richText(), emptyRichText(), 'Its text', {
    test: 'message_footer is the text of the footer, and an empty one is no footer',
  }),
  minimal_tool_message: presentation(s.str(), 'Thinking...', 'What the minimal form says', {
    test: 'minimal_tool_message is what the minimal form says',
  }),
  citation_style: presentation(s.oneOf(['text', 'footnote', 'none']), 'text', 'How sources are cited', {
    test: 'citation_style says whether sources stand where they are cited, numbered under the text, or nowhere',
  }),
  deduplicate_sources_by_url: presentation(s.bool(), false, 'One source part for each address', {
    test: 'deduplicate_sources_by_url shows one source for each address',
  }),
  omit_citation_quotes: presentation(s.bool(), false, 'Sources without the quoted passage', {
    test: 'omit_citation_quotes shows sources without the quoted passage',
  }),
  show_source_images: presentation(s.bool(), false, 'Images of sources are shown', {
    test: 'show_source_images shows a source that is an image',
  }),
  chat_input_placeholder: presentation(s.str(), 'Ask me anything...', 'Placeholder of the chat input', {
    test: 'the page says chat_input_placeholder, and whatever stands in its settings stays text',
  }),
  transport_show_tool_calls: presentation(s.bool(), false, 'Channels are sent tool calls', {
    test: 'a shared conversation shows tool calls only with transport_show_tool_calls',
  }),
  transport_show_sources: presentation(s.bool(), true, 'Channels are sent sources', {
    test: 'a channel is sent no sources without transport_show_sources',
  }),
  transport_show_thinking: presentation(s.bool(), false, 'Channels are sent thinking', {
    test: 'a channel is sent thinking only with transport_show_thinking',
  }),
  transport_allow_noop: presentation(s.bool(), false, 'The agent may answer a channel with nothing', {
    test: 'with transport_allow_noop an agent may leave a message of a channel unanswered, and knows how',
  }),
  transport_thinking_text: presentation(s.str(), '', 'What a channel is sent while the agent thinks', {
    test: 'a guest is sent transport_thinking_text before the answer, and does not find it afterwards',
  }),
  agent_title_mode: presentation(
    s.oneOf(['generate', 'first_message', 'off']),
    'generate',
    'How a conversation gets its name',
    {
      test: 'a conversation has no name, then a placeholder, then the name its title mode gives it',
    },
  ),
  agent_title_prompt: behaviour(s.str(), '', 'Prompt for the name', {
    test: 'agent_title_prompt is what the model is asked for a name with',
  }),
  feedback_placeholder: presentation(
    s.str(),
    'Add details (optional)',
    'Placeholder of the feedback form',
    feedbackForm,
  ),
  feedback_submit_label: presentation(s.str(), 'Submit', 'Its submit button', feedbackForm),
  feedback_cancel_label: presentation(s.str(), 'Cancel', 'Its cancel button', feedbackForm),
  hide_state_transitions: presentation(s.bool(), false, 'State changes of a flow are left out', {
    test: 'hide_state_transitions leaves out where a flow that drives the conversation has gone',
  }),
};
