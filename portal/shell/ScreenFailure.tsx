import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { reloadWhenReached } from '../app/newerBuild.ts'
import { isRemembered, isServerReached } from '../app/reachable.ts'

/** Replaces a screen that failed to load: a click retries, and so does the return of the network. */
export function ScreenFailure({ error }: { error: unknown }) {
  const router = useRouter()
  const needsNewPage = isRemembered(error)
  useEffect(() => {
    const left = new AbortController()
    const comeBack = async () => {
      if (!(await isServerReached()) || left.signal.aborted) return
      if (needsNewPage) window.location.reload()
      else await router.invalidate()
    }
    window.addEventListener('online', () => void comeBack(), { signal: left.signal })
    return () => left.abort()
  }, [router, needsNewPage])
  return <ErrorState error={error} retry={needsNewPage ? reloadWhenReached : () => router.invalidate()} />
}
