/** What the demo AI is called; by itself, so that whoever only names it loads nothing else. */

/** What people read. */
export const DEMO_AGENT_NAME = 'Demo AI (no model)'
