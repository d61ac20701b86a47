import { IconCamera, IconQrcode } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { machineCodeOf } from '../app/machineCode.ts'
import { openReader } from '../app/readQr.ts'
import { usePortal } from '../app/usePortal.ts'
import { Page } from '../ui/Page.tsx'
import { Button, Card, Field, Notice } from '../ui/parts.tsx'

const eachMs = 200

/** Finds the machine: by its QR code in the camera, or by its typed code. */
export function ScanScreen() {
  const { t } = useTranslation('key-app')
  const [, go] = useLocation()
  const [code, setCode] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [isScanning, setScanning] = useState(false)
  const pays = usePortal().data?.services.media
  const open = (text: string) => {
    const code = machineCodeOf(text)
    setWrong(code === undefined)
    if (code) go(`/m/${code}`)
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    open(code)
  }
  return (
    <Page title={pays ? t('scan.title') : t('scan.titleMachine')} isMain>
      {isScanning ? (
        <Camera onFound={open} onEnd={() => setScanning(false)} />
      ) : (
        <Card className="centred">
          <IconQrcode className="big" aria-hidden />
          <p>{t('scan.text')}</p>
          <Button icon={<IconCamera aria-hidden />} onClick={() => setScanning(true)}>
            {t('scan.camera')}
          </Button>
        </Card>
      )}
      <Card>
        <form onSubmit={send} noValidate>
          <Field
            label={t('scan.code')}
            className="serial"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            hint={t('scan.codeHint')}
            value={code}
            error={isWrong ? t('scan.wrong') : undefined}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Button type="submit" look="outline">
            {t('scan.open')}
          </Button>
        </form>
      </Card>
    </Page>
  )
}

/** The camera's picture; it is read on the device and sent nowhere. */
function Camera({ onFound, onEnd }: { onFound: (text: string) => void; onEnd: () => void }) {
  const { t } = useTranslation('key-app')
  const video = useRef<HTMLVideoElement>(null)
  const listener = useRef(onFound)
  listener.current = onFound
  const [isRefused, setRefused] = useState(false)
  useEffect(() => {
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const watch = async () => {
      const camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (isOver) {
        for (const track of camera.getTracks()) track.stop()
        return
      }
      stream = camera
      const element = video.current
      if (!element) return
      element.srcObject = camera
      await element.play()
      const read = await openReader()
      const next = async () => {
        const text = await read(element).catch(() => undefined)
        if (isOver) return
        if (text) listener.current(text)
        timer = setTimeout(next, eachMs)
      }
      await next()
    }
    watch().catch(() => {
      if (!isOver) setRefused(true)
    })
    return () => {
      isOver = true
      clearTimeout(timer)
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
  }, [])
  return (
    <Card className="centred">
      {isRefused ? (
        <Notice tone="warn" role="alert">
          {t('scan.refused')}
        </Notice>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: the picture of a camera has no sound.
        <video ref={video} className="camera" playsInline muted aria-label={t('scan.picture')} />
      )}
      <Button look="plain" onClick={onEnd}>
        {t('scan.end')}
      </Button>
    </Card>
  )
}
