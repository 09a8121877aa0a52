/** 部品の内側。公開 API ではありません。 */
package jp.shop.example.log.internal;
