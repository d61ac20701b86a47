import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import classes from './BusyLine.module.css'

/** A thin line while calls are pending: it counts them, and shows from the first slow call to the end of the last. */
export function BusyLine() {
  const calls =
    useIsMutating() + useIsFetching({ predicate: ({ state }) => state.data === undefined || state.fetchMeta !== null })
  const isBusy = calls > 0
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(isBusy), isBusy ? 250 : 80)
    return () => clearTimeout(timer)
  }, [isBusy])
  return isShown ? <div className={classes.line} role="presentation" data-calls={calls} /> : null
}
