/** The page's one place for what is only said, made when something is first said. */
let place: HTMLElement | undefined

/** Has assistive technology say a sentence that is not shown: one place for all, since a part that is made with its words in it stays silent. */
export function announce(sentence: string) {
  if (!place?.isConnected) {
    place = Object.assign(document.createElement('div'), { className: 'unseen', role: 'status' })
    document.body.append(place)
  }
  place.textContent = ''
  const saying = place
  // What is said twice is a change only after it was gone, and a new place is listened to only once it stands.
  setTimeout(() => {
    saying.textContent = sentence
  }, 50)
}
