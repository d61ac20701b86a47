/** Formatted text. The server stores HTML of its allow-list only (`contract/rules/rich-text.ts`), and the page's policy runs no script of it. */
export const Prose = ({ html, language }: { html: string; language: string }) => (
  <div className="prose" lang={language} dangerouslySetInnerHTML={{ __html: html }} />
)
