import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import classes from './Visit.module.css'

/** The browser's own reader of codes, which some browsers lack (W3C Shape Detection). */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}
const detectorOf = () => (globalThis as { BarcodeDetector?: new () => Detector }).BarcodeDetector

/** Whether this phone can scan: it has a camera and reads codes itself. */
export const canScan = (): boolean => detectorOf() !== undefined && navigator.mediaDevices?.getUserMedia !== undefined

const betweenLooksMs = 200

/** Reads a bar code with the camera. */
export function ScanDialog({ onCode, close }: { onCode: (code: string) => void; close: () => void }) {
  const { t } = useTranslation('visit')
  const video = useRef<HTMLVideoElement>(null)
  const [isRefused, setRefused] = useState(false)
  const onFound = useRef(onCode)
  onFound.current = onCode
  useEffect(() => {
    const Reader = detectorOf()
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const look = async (reader: Detector) => {
      if (isGone || !video.current) return
      const [code] = await reader.detect(video.current).catch(() => [])
      if (code?.rawValue) return onFound.current(code.rawValue)
      timer = setTimeout(() => void look(reader), betweenLooksMs)
    }
    const start = async () => {
      if (!Reader) return
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (isGone || !video.current) return stream.getTracks().forEach((track) => track.stop())
      video.current.srcObject = stream
      await video.current.play()
      await look(new Reader())
    }
    start().catch(() => setRefused(true))
    return () => {
      isGone = true
      clearTimeout(timer)
      stream?.getTracks().forEach((track) => track.stop())
    }
  }, [])
  return (
    <Dialog onClose={close} title={t('cash.scan')} size="md">
      {isRefused ? (
        <Text my="part">{t('cash.noCamera')}</Text>
      ) : (
        <video ref={video} className={classes.video} muted playsInline />
      )}
    </Dialog>
  )
}
