import { defineId } from 'typed-id'

export const UserId = defineId('user')
export const ProductId = defineId('product')
