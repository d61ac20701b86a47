import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Splash } from '../shell/Splash.tsx'
import { useSession } from './useSession.ts'

let taken: string | undefined

/** Where the identity provider sends the browser back to: takes the answer, once, and goes on. */
export default function SignedInScreen() {
  const { complete } = useSession()
  const { history } = useRouter()
  useEffect(() => {
    const { href } = window.location
    // A code works once; React may run this twice.
    if (taken === href) return
    taken = href
    void complete(href).then((to) => history.replace(to))
  }, [complete, history])
  return <Splash />
}
