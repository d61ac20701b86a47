import { createStore } from 'idb-keyval'

/** Answers of the server by user. */
export const answers = createStore('gettone-round-answers', 'answers')
