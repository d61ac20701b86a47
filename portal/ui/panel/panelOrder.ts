import { type PanelKey, panelText, readPanelText } from '#portal/app/panel.ts'

/** Rows of lists and names of records on the screen that open a panel of one kind. */
const openersOf = (start: string) =>
  [...document.querySelectorAll<HTMLElement>(`#main [data-panel^="${start}"]`)].filter(
    // Some names are hidden on narrow screens.
    (element) => element.checkVisibility?.() !== false,
  )

/** What opens a record's panel on the screen: its row, else its name. */
export const openerOf = (key: PanelKey): HTMLElement | undefined => {
  const openers = openersOf(panelText(key)).filter(({ dataset }) => dataset.panel === panelText(key))
  return openers.find(({ dataset }) => dataset.row !== undefined) ?? openers[0]
}

/** The records of the screen before and after an open one, in the order of the screen. */
export function neighboursOf(key: PanelKey): { previous: PanelKey | undefined; next: PanelKey | undefined } {
  const texts = [...new Set(openersOf(`${key.kind}:`).map(({ dataset }) => dataset.panel))]
  const place = texts.indexOf(panelText(key))
  return {
    previous: place > 0 ? readPanelText(texts[place - 1]) : undefined,
    // A record that is on no row, such as one of a link, is before the first.
    next: readPanelText(texts[place + 1]),
  }
}
