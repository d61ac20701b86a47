import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from '#portal/app/toast/toast.tsx'
import { startSending } from './sendVisits.ts'

/** Sends the visits that are kept on this phone while the user is signed in. Shows nothing. */
export default function VisitSender({ userId }: { userId: string }) {
  const client = useQueryClient()
  useEffect(
    () =>
      startSending(userId, ({ posName }) => {
        toast.success('visit:sent', { name: posName })
        void client.invalidateQueries()
      }),
    [client, userId],
  )
  return null
}
