import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import classes from './Association.module.css'
import { readCodes } from './camera.ts'
import { namedIn } from './namedIn.ts'

/** Looks for a machine's label in the camera's picture. */
export default function SerialScanner({ onCode, close }: { onCode: (text: string) => void; close: () => void }) {
  const { t } = useTranslation('association')
  // The dialog renders its content a moment later.
  const [video, setVideo] = useState<HTMLVideoElement | null>(null)
  const [isRefused, setRefused] = useState(false)
  const [other, setOther] = useState<string>()
  const tell = useRef(onCode)
  tell.current = onCode
  useEffect(() => {
    const end = new AbortController()
    const look = (code: string) => {
      if (!namedIn(code)) return setOther(code)
      end.abort()
      tell.current(code.trim())
    }
    if (video) readCodes(video, look, end.signal).catch(() => !end.signal.aborted && setRefused(true))
    return () => end.abort()
  }, [video])
  return (
    <Dialog onClose={close} title={t('scan.title')} closeButtonProps={{ 'aria-label': t('close') }} size="md">
      {isRefused ? (
        <Text my="part" role="alert">
          {t('scan.refused')}
        </Text>
      ) : (
        <>
          {/* biome-ignore lint/a11y/useMediaCaption: the camera's own picture, without sound */}
          <video ref={setVideo} className={classes.camera} muted playsInline aria-label={t('scan.picture')} />
          <p className={classes.text} role="status">
            {other === undefined ? t('scan.hint') : t('scan.other', { code: other.slice(0, 60) })}
          </p>
        </>
      )}
    </Dialog>
  )
}
