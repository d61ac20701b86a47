import { Button, Flex, Text } from '@mantine/core'
import { IconPhotoUp, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import type { Product } from '#contract/catalogue/product.ts'
import { productEdits } from '#contract/catalogue/product-edit.ts'
import { broken } from '#contract/frame/broken.ts'
import { fileFault, fileRules } from '#contract/frame/file-rules.ts'
import { fetchRow, useCommand } from '#portal/app/api.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { acceptedBy, FilePick, useDrop } from '#portal/ui/form/fields/FileBox.tsx'
import { chosenFile } from '#portal/ui/form/fields/FileField.tsx'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import classes from './Product.module.css'
import { scaledPicture } from './scaledPicture.ts'

const rule = fileRules.productPicture

/** The stored picture as an address of this page; the thumbnail until it is loaded. */
function usePicture({ id: productId, merchantId, thumbnail }: Product) {
  const { data } = useQuery({
    queryKey: [productEdits.getProductPicture.path, productId, thumbnail],
    queryFn: async ({ signal }) => {
      const answer = await fetchRow(productEdits.getProductPicture, { params: { merchantId, productId } }, signal)
      return answer.blob()
    },
    enabled: thumbnail !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(data)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return thumbnail === null ? undefined : (url ?? thumbnail)
}

/** The picture of a product: chosen or dropped, scaled down in the browser, saved at once. */
export function PictureCard({ product }: { product: Product }) {
  const { t } = useTranslation(['product', 'form'])
  const say = useRuleSentence()
  const { me } = useSession()
  const { id: productId, merchantId, name } = product
  const url = usePicture(product)
  const save = useCommand(productEdits.setProductPicture, {
    says: ({ thumbnail }) => ({ key: thumbnail ? 'product:picture.saved' : 'product:picture.removed' }),
  })
  const [isScaling, setScaling] = useState(false)
  const [fault, setFault] = useState<string>()
  const mayEdit = me !== null && roleMay(me.role, 'product.write')

  const set = (picture: { full: string; thumbnail: string } | null) =>
    save.mutate({ params: { merchantId, productId }, body: { picture } })
  const take = async (file: File) => {
    const brokenRule = fileFault(rule, await chosenFile(file))
    setFault(brokenRule && say(brokenRule))
    if (brokenRule) return
    setScaling(true)
    try {
      set(await scaledPicture(file))
    } catch {
      setFault(say(broken('imageBroken')))
    } finally {
      setScaling(false)
    }
  }
  const drop = useDrop(!mayEdit, (file) => void take(file))
  return (
    <Card title={t('card.picture')}>
      <div className={classes.frame} data-has={url !== undefined} {...drop}>
        {url ? (
          <img className={classes.picture} src={url} alt={t('picture.alt', { name })} />
        ) : (
          mayEdit && <span>{t('picture.drop')}</span>
        )}
      </div>
      {mayEdit && (
        <>
          <Flex gap="near" wrap="wrap" mt="xs">
            <FilePick
              accept={acceptedBy(rule)}
              take={(file) => void take(file)}
              loading={isScaling || save.isPending}
              leftSection={<IconPhotoUp size={15} aria-hidden />}
            >
              {t(url ? 'picture.replace' : 'picture.upload')}
            </FilePick>
            {url && (
              <Button variant="subtle" leftSection={<IconX size={15} aria-hidden />} onClick={() => set(null)}>
                {t('picture.remove')}
              </Button>
            )}
          </Flex>
          {fault && (
            <Text mt="near" c="crit" fz="sm" role="alert">
              {fault}
            </Text>
          )}
          <Text mt="near" c="dimmed" fz="fine" lh="fine">
            {t('picture.rule')}
          </Text>
        </>
      )}
    </Card>
  )
}
