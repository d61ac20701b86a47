/** The page's one live region, created with the first announcement. */
let place: HTMLElement | undefined

/** Announces a sentence to screen readers only. One live region for all: a region created together with its text is not read out. */
export function announce(sentence: string) {
  if (!place?.isConnected) {
    place = Object.assign(document.createElement('div'), { className: 'unseen', role: 'status' })
    document.body.append(place)
  }
  place.textContent = ''
  const saying = place
  // A repeated sentence is only announced after the text was cleared, and a new region only once it is in the page.
  setTimeout(() => {
    saying.textContent = sentence
  }, 50)
}
