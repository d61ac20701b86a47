import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

/* What jsdom leaves out of a browser, and React's own components ask for. */

window.matchMedia = (media) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  })
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.scrollTo = () => undefined
Element.prototype.scrollIntoView = () => undefined

afterEach(cleanup)
