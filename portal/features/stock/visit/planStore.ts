import { createStore } from 'idb-keyval'

/** What was read of machines while there was a connection. */
export const plans = createStore('gettone-visit-plans', 'plans')
